package io.testudo.rules;

import static io.testudo.rules.Breaches.BROKEN;
import static io.testudo.rules.Breaches.SOUND;
import static io.testudo.rules.Breaches.inBrokenHouse;
import static io.testudo.rules.Breaches.inEmptyHouse;
import static io.testudo.rules.Breaches.inSoundHouse;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DirectionRulesTest {
  private final DirectionRules broken = new DirectionRules(BROKEN);

  @Test
  void letTheSoundHouseAndAnEmptyOneStand() {
    assertThat(new DirectionRules(SOUND).all())
        .allSatisfy(rule -> assertThat(inSoundHouse(rule)).isEmpty())
        .allSatisfy(rule -> assertThat(inEmptyHouse(rule)).isEmpty());
  }

  @Test
  void catchAnImportFromOrderingInQuorum() {
    assertThat(inBrokenHouse(broken.roomsLookLeft()))
        .isNotEmpty()
        .allMatch(breach -> breach.contains("quorum.KnowsOrdering"))
        .allMatch(breach -> breach.endsWith("'quorum' must not look into 'ordering'"));
  }

  @Test
  void catchARoomThatNobodyKnows() {
    DirectionRules oneLevelUp = new DirectionRules(new House("io.testudo.rules.fixtures"));
    assertThat(inBrokenHouse(oneLevelUp.roomsLookLeft()))
        .isNotEmpty()
        .allMatch(breach -> breach.contains("is in no known room: add 'broken'"));
  }

  @Test
  void catchUsesAgainstTheDirectionInsideQuorum() {
    assertThat(inBrokenHouse(broken.packagesOfQuorumLookInward()))
        .anyMatch(breach -> breach.endsWith("'quorum.spi' must not use 'quorum.runtime'"))
        .anyMatch(breach -> breach.endsWith("'quorum.ping' must not use 'quorum.runtime'"))
        .anyMatch(breach -> breach.endsWith("'quorum.sim' must not use 'quorum.netty'"))
        .anyMatch(breach -> breach.contains("attic.Chest") && breach.contains("has no place"))
        .noneMatch(breach -> breach.contains("StrayMachine"));
  }

  @Test
  void catchOneProtocolOfMutexThatUsesAnother() {
    assertThat(inBrokenHouse(broken.protocolsOfMutexStayApart()))
        .isNotEmpty()
        .allMatch(breach -> breach.endsWith("'sigma' must not use 'backoff'"));
  }

  @Test
  void catchAProtocolOfOrderingThatKnowsAnObject() {
    assertThat(inBrokenHouse(broken.protocolOfOrderingKnowsNoObjects()))
        .isNotEmpty()
        .allMatch(breach -> breach.contains("OrderedCounter"))
        .allMatch(breach -> breach.endsWith("must not use 'ordering.objects'"));
  }

  @Test
  void catchPackagesInACycle() {
    assertThat(inBrokenHouse(broken.noPackageCycles()))
        .anyMatch(
            breach ->
                breach.contains("Slice ordering.objects") && breach.contains("Slice ordering.log"));
  }
}
