package io.testudo.rules;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/** What is kept out of the house, and what has one room in it. */
final class ConfinementRules {
  private static final Set<String> SERIALIZATION =
      Set.of(
          "java.io.ObjectInput",
          "java.io.ObjectInputStream",
          "java.io.ObjectInputFilter",
          "java.io.ObjectOutput",
          "java.io.ObjectOutputStream",
          "java.io.Externalizable",
          "java.lang.invoke.SerializedLambda");

  private final House house;

  ConfinementRules(House house) {
    this.house = house;
  }

  List<ArchRule> all() {
    return List.of(
        libraryStaysIn("io.netty", "quorum.netty", "bench"),
        libraryIsForTests("com.google.protobuf"),
        noJavaSerialization(),
        packagesAreNullMarked());
  }

  ArchRule libraryStaysIn(String library, String... packagesBelowRoot) {
    return EachClass.should(
        "leave " + library + " to " + String.join(" and ", packagesBelowRoot),
        "the transport can be replaced, and simulated, where nothing else knows it",
        (type, breaches) -> {
          if (Stream.of(packagesBelowRoot)
              .anyMatch(allowed -> House.isWithin(type, house.packageOf(allowed)))) {
            return;
          }
          findUses(type, library, breaches);
        });
  }

  ArchRule libraryIsForTests(String library) {
    return EachClass.should(
        "not use " + library,
        "what applications have to bring along should clash with as little as possible",
        (type, breaches) -> findUses(type, library, breaches));
  }

  private static void findUses(JavaClass type, String library, Consumer<String> breaches) {
    for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
      if (House.isWithin(dependency.getTargetClass().getBaseComponentType(), library)) {
        breaches.accept(dependency.getDescription());
      }
    }
  }

  /**
   * Classes that are serializable by inheritance only (exceptions, enums, collections) pass: they
   * did not ask for it.
   */
  ArchRule noJavaSerialization() {
    return EachClass.should(
        "not use Java serialization",
        "reading a serialized object runs code that its sender chose",
        (type, breaches) -> {
          if (House.isGenerated(type)) {
            return;
          }
          if (type.getRawInterfaces().stream()
              .anyMatch(parent -> parent.getName().equals("java.io.Serializable"))) {
            breaches.accept(type.getDescription() + " implements Serializable");
          }
          for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
            JavaClass target = dependency.getTargetClass().getBaseComponentType();
            if (SERIALIZATION.contains(Impurities.topLevelName(target))) {
              breaches.accept(dependency.getDescription());
            }
          }
        });
  }

  ArchRule packagesAreNullMarked() {
    return EachClass.should(
        "have a package-info with @NullMarked",
        "NullAway looks into marked packages only",
        (type, breaches) -> {
          if (!House.isGenerated(type) && !type.getPackage().isAnnotatedWith(NullMarked.class)) {
            breaches.accept(type.getPackageName() + " is not marked");
          }
        });
  }
}
