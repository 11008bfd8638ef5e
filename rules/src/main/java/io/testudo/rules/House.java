package io.testudo.rules;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Path;
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
   * The classes in a directory. The marks of packages are read wherever they lie, because bench has
   * a class in a package of mutex.
   */
  JavaClasses shippedClasses(Path directory) {
    String place = directory.toUri().getRawPath();
    return new ClassFileImporter()
        .withImportOption(
            location -> location.contains(place) || location.contains("/package-info.class"))
        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
        .importPackages(root)
        .that(
            DescribedPredicate.describe(
                "lie in " + directory,
                type -> type.getSource().orElseThrow().getUri().toString().contains(place)));
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

  /**
   * Packages named {@code proto} and {@code jmh_generated} hold what protoc and JMH wrote: its
   * style is not ours to judge.
   */
  static boolean isGenerated(JavaClass type) {
    return type.getPackageName().endsWith(".proto")
        || type.getPackageName().endsWith(".jmh_generated");
  }
}
