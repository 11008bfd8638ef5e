package io.testudo.rules;

import static io.testudo.rules.Breaches.BROKEN;
import static io.testudo.rules.Breaches.SOUND;
import static io.testudo.rules.Breaches.inBrokenHouse;
import static io.testudo.rules.Breaches.inEmptyHouse;
import static io.testudo.rules.Breaches.inSoundHouse;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConfinementRulesTest {
  /** Plays the part of Netty in the fixtures. */
  private static final String LIBRARY = "com.google.gson";

  private final ConfinementRules broken = new ConfinementRules(BROKEN);

  @Test
  void letTheSoundHouseAndAnEmptyOneStand() {
    ConfinementRules sound = new ConfinementRules(SOUND);
    assertThat(inSoundHouse(sound.libraryStaysIn(LIBRARY, "quorum.netty"))).isEmpty();
    assertThat(sound.all())
        .allSatisfy(rule -> assertThat(inSoundHouse(rule)).isEmpty())
        .allSatisfy(rule -> assertThat(inEmptyHouse(rule)).isEmpty());
  }

  @Test
  void catchALibraryOutsideItsRoom() {
    assertThat(inBrokenHouse(broken.libraryStaysIn(LIBRARY, "quorum.netty")))
        .isNotEmpty()
        .allMatch(breach -> breach.contains("node.NamesLibrary"));
  }

  @Test
  void catchALibraryThatIsForTests() {
    assertThat(inBrokenHouse(broken.libraryIsForTests(LIBRARY)))
        .anyMatch(breach -> breach.contains("node.NamesLibrary"));
  }

  @Test
  void catchJavaSerialization() {
    assertThat(inBrokenHouse(broken.noJavaSerialization()))
        .anyMatch(breach -> breach.contains("StoredKey"))
        .anyMatch(breach -> breach.contains("ReadsObjects"))
        .allMatch(breach -> breach.contains("StoredKey") || breach.contains("ReadsObjects"));
  }

  @Test
  void catchAPackageWithoutAMark() {
    assertThat(inBrokenHouse(broken.packagesAreNullMarked()))
        .isNotEmpty()
        .containsOnly(BROKEN.packageOf("node") + " is not marked");
  }
}
