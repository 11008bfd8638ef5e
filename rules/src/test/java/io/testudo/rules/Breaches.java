package io.testudo.rules;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;

/** The two houses of fixtures: one keeps every rule, the other breaks each. */
final class Breaches {
  static final House SOUND = new House("io.testudo.rules.fixtures.sound");
  static final House BROKEN = new House("io.testudo.rules.fixtures.broken");

  private static final JavaClasses SOUND_CLASSES = SOUND.allClasses();
  private static final JavaClasses BROKEN_CLASSES = BROKEN.allClasses();

  private Breaches() {}

  static List<String> inSoundHouse(ArchRule rule) {
    return rule.evaluate(SOUND_CLASSES).getFailureReport().getDetails();
  }

  static List<String> inBrokenHouse(ArchRule rule) {
    return rule.evaluate(BROKEN_CLASSES).getFailureReport().getDetails();
  }

  static List<String> inEmptyHouse(ArchRule rule) {
    return rule.evaluate(new House(SOUND.root() + ".nowhere").allClasses())
        .getFailureReport()
        .getDetails();
  }
}
