package io.testudo.client.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.client.TestudoClient;
import io.testudo.client.TestudoCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The extension as its users have it. */
@Timeout(120)
class TestudoClusterExtensionTest {
  @RegisterExtension static final TestudoClusterExtension SHARED = TestudoClusterExtension.of(1, 0);

  private static TestudoCluster ofOuterClass;

  @BeforeAll
  static void keep(TestudoCluster cluster) {
    ofOuterClass = cluster;
  }

  @AfterAll
  static void isNotReplacedByThatOfANestedClass(TestudoCluster cluster) {
    assertThat(cluster).isSameAs(ofOuterClass);
  }

  @Test
  void givesAClusterAndAClientOfIt(TestudoCluster cluster, TestudoClient client) {
    assertThat(cluster).isSameAs(SHARED.cluster());
    assertThat(client.counter("visits").increment().join()).isEqualTo(1);
  }

  @Test
  void hasNoClusterWhereNoTestRuns() {
    assertThatThrownBy(() -> TestudoClusterExtension.of(1, 0).cluster())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("register the extension");
  }

  @Nested
  class OfANestedClass {
    @Test
    void isThatOfTheClassAround(TestudoCluster cluster) {
      assertThat(cluster).isSameAs(ofOuterClass);
    }
  }

  @Nested
  class InAnInstanceField {
    @RegisterExtension private final TestudoClusterExtension own = TestudoClusterExtension.of(1, 0);

    @Test
    void givesEachTestItsOwn() {
      assertThat(own.cluster()).isNotSameAs(SHARED.cluster());
      assertThat(own.cluster().client().counter("visits").increment().join()).isEqualTo(1);
    }
  }
}
