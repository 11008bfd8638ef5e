package io.testudo.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.testudo.rules.fixtures.broken.quorum.attic.Chest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What applications can see. Public, as what it shows the scan is. */
public class ExportScanTest {
  /** Shows a type of a library, and one of a package that is not exported. */
  public static class Leak {
    public Leak() {}

    public Map<String, List<ImmutableList<String>>> inside() {
      return Map.of();
    }

    protected void take(Chest[] chests) {}

    ImmutableList<String> unseen() {
      return ImmutableList.of();
    }
  }

  /** Shows nothing but the JDK, and hides the rest. */
  public static class Sound {
    private final ImmutableList<String> hidden = ImmutableList.of();

    public Sound() {}

    public List<? extends CharSequence> texts() {
      return hidden;
    }
  }

  @Test
  void findsWhatEverybodyIsShownButCannotSee() {
    Set<String> exported = Set.of("io.testudo.rules");
    assertThat(ExportScan.breaches(new ClassFileImporter().importClasses(Sound.class), exported))
        .isEmpty();
    assertThat(ExportScan.breaches(new ClassFileImporter().importClasses(Leak.class), exported))
        .containsExactly(
            Leak.class.getName() + " shows com.google.common.collect.ImmutableList",
            Leak.class.getName() + " shows " + Chest.class.getName());
    assertThat(ExportScan.breaches(new ClassFileImporter().importClasses(Leak.class), Set.of()))
        .isEmpty();
  }

  @Test
  void takesWhatIsExportedToSomeModulesForHidden() {
    String source = "module m { exports a.b; exports a.c to n; }";
    assertThat(ExportScan.exportedBy(ParsedSource.parse("module-info.java", source)))
        .containsExactly("a.b");
  }
}
