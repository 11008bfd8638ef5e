package io.testudo.rules;

import static com.tngtech.archunit.core.domain.JavaModifier.ABSTRACT;
import static com.tngtech.archunit.core.domain.JavaModifier.FINAL;
import static com.tngtech.archunit.core.domain.JavaModifier.STATIC;
import static com.tngtech.archunit.core.domain.JavaModifier.SYNCHRONIZED;
import static com.tngtech.archunit.core.domain.JavaModifier.VOLATILE;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * What lets a run be replayed from its seed: a package marked {@code @Pure} computes and does
 * nothing else.
 *
 * <p>The rules see direct uses only. They do not see what a called library does inside, nor the
 * order in which a {@code HashMap} or {@code HashSet} yields its elements, which differs between
 * runs for keys that hash by identity (such as enums): pure code that iterates takes a sorted, a
 * linked or an enum collection. Blocks of {@code synchronized} leave no trace that these rules can
 * read; {@link SynchronizedScan} finds them in the sources.
 */
final class PurityRules {
  /** A package with one of these names on its path holds a protocol, or it has the wrong name. */
  private static final Set<String> PROTOCOL_PACKAGES =
      Set.of("protocol", "ping", "backoff", "sigma", "strawman", "p2p");

  private static final Set<String> ROOMS_THAT_ACT = Set.of("runtime", "netty", "journal", "sim");

  private final House house;

  PurityRules(House house) {
    this.house = house;
  }

  List<ArchRule> all() {
    return List.of(
        purePackagesOnlyCompute(), machinesLiveInPurePackages(), protocolPackagesAreMarked());
  }

  ArchRule purePackagesOnlyCompute() {
    return rule("only compute, where their package is marked @Pure", this::checkPurity);
  }

  ArchRule machinesLiveInPurePackages() {
    String machine = house.packageOf("quorum.protocol.Machine");
    return rule(
        "live in a package marked @Pure, if they are concrete machines",
        (type, breaches) -> {
          if (type.isAssignableTo(machine)
              && !type.getModifiers().contains(ABSTRACT)
              && !isPure(type)) {
            breaches.accept(type.getDescription() + " is a machine in an unmarked package");
          }
        });
  }

  ArchRule protocolPackagesAreMarked() {
    return rule(
        "have their package marked @Pure, if its name is a protocol's",
        (type, breaches) -> {
          List<String> segments = house.segments(type).orElse(List.of());
          if (segments.stream().anyMatch(PROTOCOL_PACKAGES::contains)
              && !House.isGenerated(type)
              && !isPure(type)) {
            breaches.accept(type.getPackageName() + " must be marked @Pure");
          }
        });
  }

  private boolean isPure(JavaClass type) {
    return type.getPackage().isAnnotatedWith(house.packageOf("quorum.protocol.Pure"));
  }

  private void checkPurity(JavaClass type, Consumer<String> breaches) {
    if (!isPure(type)) {
      return;
    }
    for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
      JavaClass target = dependency.getTargetClass().getBaseComponentType();
      Impurities.ofType(target)
          .or(() -> ofHouse(target))
          .ifPresent(why -> breaches.accept(dependency.getDescription() + ": " + why));
    }
    for (JavaAccess<?> access : type.getAccessesFromSelf()) {
      Impurities.ofMember(access.getTargetOwner(), access.getTarget().getName())
          .ifPresent(why -> breaches.accept(access.getDescription() + ": " + why));
    }
    for (JavaCodeUnit method : type.getCodeUnits()) {
      if (method.getModifiers().contains(SYNCHRONIZED)) {
        breaches.accept(method.getDescription() + " is synchronized: one thread steps");
      }
    }
    for (JavaField field : type.getFields()) {
      if (field.getModifiers().contains(VOLATILE)) {
        breaches.accept(field.getDescription() + " is volatile: one thread steps");
      }
      if (field.getModifiers().contains(STATIC) && !field.getModifiers().contains(FINAL)) {
        breaches.accept(field.getDescription() + " outlives a run: it is static, not final");
      }
    }
  }

  /**
   * What Byzantine strategies compute with only computes: a lying machine is a machine like any
   * other.
   */
  private static boolean isByzantine(List<String> segments) {
    return segments.size() > 2
        && segments.get(1).equals("sim")
        && segments.get(2).equals("byzantine");
  }

  /** What acts on the world, and every port but the seeded randomness, is for the runtime. */
  private Optional<String> ofHouse(JavaClass target) {
    List<String> segments = house.segments(target).orElse(List.of());
    if (segments.size() < 2 || !segments.get(0).equals("quorum")) {
      return Optional.empty();
    }
    if (!isByzantine(segments) && ROOMS_THAT_ACT.contains(segments.get(1))) {
      return Optional.of("'quorum." + segments.get(1) + "' acts");
    }
    return segments.get(1).equals("spi") && !Impurities.topLevelName(target).endsWith(".Entropy")
        ? Optional.of("of the ports only Entropy is pure")
        : Optional.empty();
  }

  private static ArchRule rule(String should, BiConsumer<JavaClass, Consumer<String>> check) {
    return EachClass.should(should, "a run must be replayed from its seed, byte for byte", check);
  }
}
