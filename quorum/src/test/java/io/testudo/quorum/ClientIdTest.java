package io.testudo.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientIdTest {
  @Test
  void handlesOfOneSessionAreDifferentClients() {
    assertThat(new ClientId("alice", 1, 1)).isNotEqualTo(new ClientId("alice", 1, 2));
  }

  @Test
  void isOrderedByPrincipalThenSessionThenHandle() {
    assertThat(new ClientId("alice", 9, 9)).isLessThan(new ClientId("bob", 1, 1));
    assertThat(new ClientId("alice", 1, 9)).isLessThan(new ClientId("alice", 2, 1));
    assertThat(new ClientId("alice", 1, 1)).isLessThan(new ClientId("alice", 1, 2));
    assertThat(new ClientId("alice", 1, 1)).isEqualByComparingTo(new ClientId("alice", 1, 1));
  }

  @Test
  void acceptsPrincipalsUpToTheMaximum() {
    assertThatNoException()
        .isThrownBy(() -> new ClientId("x".repeat(ClientId.MAX_PRINCIPAL_LENGTH), 0, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ClientId("x".repeat(ClientId.MAX_PRINCIPAL_LENGTH + 1), 0, 0))
        .withMessage("a principal has 1 to 128 characters, 129 were given");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ClientId("", 0, 0))
        .withMessage("a principal has 1 to 128 characters, 0 were given");
  }

  @ParameterizedTest
  @ValueSource(strings = {"al ice", "al\nice", "al\u007fice", "al\u0000ice", "al\u0430ice"})
  void refusesPrincipalsThatDoNotPrintPlainly(String principal) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ClientId(principal, 0, 0))
        .withMessage(
            "a principal consists of printable ASCII characters without spaces, character 3 is"
                + " not");
  }

  @ParameterizedTest
  @ValueSource(strings = {"!", "~", "alice@example.org", "CN=alice/OU=x"})
  void acceptsEveryPrintableCharacter(String principal) {
    assertThat(new ClientId(principal, 0, 0).principal()).isEqualTo(principal);
  }

  @Test
  void readsShort() {
    assertThat(new ClientId("alice", 0x5f3a_0000_1234_5678L, 2)).hasToString("alice/5f3a.../2");
    assertThat(new ClientId("alice", 0xabcd_1234L, 2)).hasToString("alice/abcd1234/2");
    assertThat(new ClientId("alice", 7, 2)).hasToString("alice/7/2");
    assertThat(new ClientId("alice", -1, 2)).hasToString("alice/ffff.../2");
  }
}
