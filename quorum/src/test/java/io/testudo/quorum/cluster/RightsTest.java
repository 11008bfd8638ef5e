package io.testudo.quorum.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.quorum.Right;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RightsTest {
  private final Rights rights =
      Rights.of(
          List.of(
              Grant.of("alice", EnumSet.of(Right.LOCK, Right.READ), "locks/"),
              Grant.of("alice", EnumSet.of(Right.SUBMIT), "counters/a"),
              Grant.of("bob", EnumSet.of(Right.ORDER), "counters/"),
              Grant.of("root", EnumSet.of(Right.ADMINISTER), "")),
          List.of("carol"));

  @Test
  void allowsWhatOneGrantAllows() {
    assertThat(rights.allows("alice", Right.LOCK, "locks/db")).isTrue();
    assertThat(rights.allows("alice", Right.SUBMIT, "counters/abc")).isTrue();
    assertThat(rights.allows("root", Right.ADMINISTER, "anything")).isTrue();
  }

  @Test
  void forbidsOtherNamesRightsAndPrincipals() {
    assertThat(rights.allows("alice", Right.LOCK, "lock")).isFalse();
    assertThat(rights.allows("alice", Right.LOCK, "my/locks/db")).isFalse();
    assertThat(rights.allows("alice", Right.LOCK, "counters/abc")).isFalse();
    assertThat(rights.allows("alice", Right.ORDER, "locks/db")).isFalse();
    assertThat(rights.allows("Alice", Right.LOCK, "locks/db")).isFalse();
    assertThat(rights.allows("carol", Right.LOCK, "locks/db")).isFalse();
    assertThat(rights.allows("root", Right.READ, "locks/db")).isFalse();
  }

  @Test
  void asksForTheRightAndNameOfAMessage() {
    record TakeLock(String name) implements Guarded {
      @Override
      public Right right() {
        return Right.LOCK;
      }
    }
    assertThat(new TakeLock("locks/db").isAllowed(rights, "alice")).isTrue();
    assertThat(new TakeLock("other").isAllowed(rights, "alice")).isFalse();
  }

  @Test
  void knowsPrincipalsWithAndWithoutGrants() {
    assertThat(rights.knows("alice")).isTrue();
    assertThat(rights.knows("carol")).isTrue();
    assertThat(rights.knows("mallory")).isFalse();
  }

  @Test
  void givesTheKeysOfAPurposeToThoseOnlyWhoHaveTheRight() {
    assertThat(rights.groupsOf("alice", KeyPurpose.SUBMIT)).containsExactly("counters/a");
    assertThat(rights.groupsOf("alice", KeyPurpose.ORDER)).isEmpty();
    assertThat(rights.groupsOf("alice", KeyPurpose.LOCK)).containsExactly("locks/");
    for (KeyPurpose purpose : KeyPurpose.values()) {
      assertThat(rights.groupsOf("root", purpose)).isEmpty();
      assertThat(rights.groupsOf("mallory", purpose)).isEmpty();
    }
  }

  @Test
  void givesOrderersTheKeysOfSubmittersWithinTheirPrefix() {
    assertThat(rights.groupsOf("bob", KeyPurpose.SUBMIT))
        .containsExactly("counters/", "counters/a");
    assertThat(rights.groupsOf("bob", KeyPurpose.ORDER)).containsExactly("counters/");
  }

  @Test
  void refusesGrantsThatCannotBeWrittenDown() {
    for (String prefix : new String[] {" a", "a ", "a\nb", "\ud800", "\u00e9".repeat(257)}) {
      assertThatThrownBy(() -> Grant.of("alice", Set.of(Right.READ), prefix))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> Grant.of("alice", Set.of(), "a"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Grant.of("two words", Set.of(Right.READ), "a"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void limitsTheGrantsOfOnePrincipal() {
    List<Grant> grants = new ArrayList<>();
    for (int i = 0; i < Rights.MAX_GRANTS_EACH; i++) {
      grants.add(Grant.of("alice", Set.of(Right.READ), "p" + i));
    }
    assertThat(Rights.of(grants, List.of()).grantsOf("alice")).hasSize(Rights.MAX_GRANTS_EACH);
    grants.add(Grant.of("alice", Set.of(Right.READ), "more"));
    assertThatThrownBy(() -> Rights.of(grants, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most 256 grants of one principal");
  }
}
