package io.testudo.quorum.netty;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OutputBudgetTest {
  private static final int EACH = 1_000;

  private final OutputBudget budget = new OutputBudget(EACH);

  @Test
  void aPrincipalMayHaveSoMuchWaitingOnAllItsConnections() {
    int most = OutputBudget.CONNECTIONS_PER_PRINCIPAL * EACH;
    assertThat(budget.owe("mallory", most)).isTrue();
    assertThat(budget.owe("mallory", 1)).isFalse();
    assertThat(budget.owe("alice", EACH)).as("others have their own").isTrue();
    budget.paid("mallory", most);
    assertThat(budget.owe("mallory", 1)).isTrue();
    assertThat(budget.owed()).isEqualTo(EACH + 1);
  }
}
