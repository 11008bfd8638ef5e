package io.testudo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.testudo.house.SourceTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What applications can see. Public, as what it shows the scan is. */
public class ExportScanTest {
  /** Shows a type of a library, and one of a package that is not exported. */
  public static class Leak {
    public Leak() {}

    public Map<String, List<ImmutableList<String>>> inside() {
      return Map.of();
    }

    protected void take(SourceTree[] trees) {}

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
    Set<String> exported = Set.of("io.testudo.architecture");
    assertThat(ExportScan.breaches(new ClassFileImporter().importClasses(Sound.class), exported))
        .isEmpty();
    assertThat(ExportScan.breaches(new ClassFileImporter().importClasses(Leak.class), exported))
        .containsExactly(
            Leak.class.getName() + " shows com.google.common.collect.ImmutableList",
            Leak.class.getName() + " shows io.testudo.house.SourceTree");
    assertThat(ExportScan.breaches(new ClassFileImporter().importClasses(Leak.class), Set.of()))
        .isEmpty();
  }

  @Test
  void takesWhatIsExportedToSomeModulesForHidden() {
    String source = "module m { exports a.b; exports a.c to n; }";
    assertThat(ExportScan.exportedBy(ParsedSource.parse("module-info.java", source)))
        .containsExactly("a.b");
  }

  @Test
  void applicationsAreShownNothingThatTheyCannotSee() {
    SourceTree tree = SourceTree.ofRunningTests();
    Set<String> exported = new TreeSet<>();
    for (String module : tree.modules()) {
      Path moduleInfo = tree.module(module).resolve("src/main/java/module-info.java");
      if (Files.exists(moduleInfo)) {
        exported.addAll(ExportScan.exportedBy(ParsedSource.parse(List.of(moduleInfo)).get(0)));
      }
    }
    assertThat(exported).contains("io.testudo.quorum", "io.testudo.mutex", "io.testudo.ordering");
    assertThat(ExportScan.breaches(House.TESTUDO.shippedClasses(), exported)).isEmpty();
  }
}
