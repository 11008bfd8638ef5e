package io.testudo.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The packages below one root: {@code io.testudo} itself, or a small house of fixtures built after
 * the same plan.
 */
record House(String root) {
  static final House TESTUDO = new House("io.testudo");

  /** A room may look only into the rooms before it. */
  static final List<String> ROOMS =
      List.of("crypto", "quorum", "mutex", "ordering", "client", "node", "bench");

  /**
   * The classes that are shipped. Upstream rooms come as jars in {@code mvn verify} and as
   * directories in {@code mvn test}; test classes are left out in both.
   */
  JavaClasses shippedClasses() {
    return new ClassFileImporter()
        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
        .importPackages(root);
  }

  /** All classes below the root, for houses of fixtures, which are test classes themselves. */
  JavaClasses allClasses() {
    return new ClassFileImporter().importPackages(root);
  }

  String packageOf(String pathBelowRoot) {
    return root + "." + pathBelowRoot;
  }

  /** The names of the package below the root, outermost first; empty if it is not below it. */
  Optional<List<String>> segments(JavaClass type) {
    String name = type.getPackageName();
    return name.startsWith(root + ".")
        ? Optional.of(Arrays.asList(name.substring(root.length() + 1).split("\\.", -1)))
        : Optional.empty();
  }

  /** Whether the class lies in the package or below it. */
  static boolean isWithin(JavaClass type, String packageName) {
    return isWithin(type.getPackageName(), packageName);
  }

  static boolean isWithin(String innerPackage, String packageName) {
    return innerPackage.equals(packageName) || innerPackage.startsWith(packageName + ".");
  }

  /** Packages named {@code proto} hold what protoc wrote: its style is not ours to judge. */
  static boolean isGenerated(JavaClass type) {
    return type.getPackageName().endsWith(".proto");
  }
}
