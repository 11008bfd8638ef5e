package io.testudo.rules;

import static io.testudo.rules.Breaches.BROKEN;
import static io.testudo.rules.Breaches.SOUND;
import static io.testudo.rules.Breaches.inBrokenHouse;
import static io.testudo.rules.Breaches.inEmptyHouse;
import static io.testudo.rules.Breaches.inSoundHouse;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import org.junit.jupiter.api.Test;

class PurityRulesTest {
  private final PurityRules broken = new PurityRules(BROKEN);

  @Test
  void letTheSoundHouseAndAnEmptyOneStand() {
    assertThat(new PurityRules(SOUND).all())
        .allSatisfy(rule -> assertThat(inSoundHouse(rule)).isEmpty())
        .allSatisfy(rule -> assertThat(inEmptyHouse(rule)).isEmpty());
  }

  @Test
  void catchTheClockInAProtocolPackage() {
    assertThat(inBrokenHouse(broken.purePackagesOnlyCompute()))
        .anyMatch(
            breach ->
                breach.contains("ReadsNanoTime.deadline()")
                    && breach.contains("System.nanoTime()"));
  }

  /** Each class of the fixtures' ping breaks purity in a way of its own. */
  @Test
  void catchEveryImpureClass() {
    List<String> impure =
        BROKEN.allClasses().stream()
            .filter(type -> type.getPackageName().equals(BROKEN.packageOf("quorum.ping")))
            .map(JavaClass::getName)
            .filter(name -> !name.endsWith(".Harmless") && !name.endsWith(".package-info"))
            .toList();
    List<String> breaches = inBrokenHouse(broken.purePackagesOnlyCompute());
    assertThat(impure)
        .hasSize(26)
        .allSatisfy(name -> assertThat(breaches).anyMatch(breach -> breach.contains(name)));
    assertThat(breaches).noneMatch(breach -> breach.contains("Harmless"));
  }

  @Test
  void catchAMachineOutsidePurePackages() {
    assertThat(inBrokenHouse(broken.machinesLiveInPurePackages()))
        .singleElement()
        .asString()
        .contains("StrayMachine");
  }

  @Test
  void catchAProtocolPackageWithoutTheMark() {
    assertThat(inBrokenHouse(broken.protocolPackagesAreMarked()))
        .isNotEmpty()
        .containsOnly(BROKEN.packageOf("mutex.sigma") + " must be marked @Pure");
  }
}
