package io.testudo.rules;

import com.sun.source.tree.SynchronizedTree;
import com.sun.source.util.TreeScanner;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who holds a monitor does not wait, and runs no code of callers: before Java 24 a virtual thread
 * that waits in a monitor, or for one, keeps its carrier from all others. Where more has to be done
 * there is {@code java.util.concurrent.locks}.
 *
 * <p>Sources tell the lines of {@code synchronized} blocks, classes the calls on these lines, and
 * those of the methods that they lead to, in all classes of the module that may be meant. What a
 * lambda in a monitor does counts as done there. A call into another module of Testudo is a breach,
 * since nothing is known of it here, unless it is to an instance of a record, an enum, an exception
 * or a package that is marked pure. Other libraries are trusted but for {@link Waits}.
 */
final class MonitorScan {
  private final House house;
  private final JavaClasses classes;

  /** By source file: the first and the last line of each block. */
  private final Map<String, List<Block>> blocks = new HashMap<>();

  private record Block(long first, long last) {}

  MonitorScan(House house, JavaClasses classes, Collection<ParsedSource> sources) {
    this.house = house;
    this.classes = classes;
    for (ParsedSource source : sources) {
      new TreeScanner<@Nullable Void, @Nullable Void>() {
        @Override
        public @Nullable Void visitSynchronized(SynchronizedTree block, @Nullable Void unused) {
          long first = source.line(source.positions().getStartPosition(source.unit(), block));
          blocks
              .computeIfAbsent(key(source.packageName(), source.simpleName()), any -> newList())
              .add(new Block(first, first + source.linesOf(block) - 1));
          return super.visitSynchronized(block, null);
        }
      }.scan(source.unit(), null);
    }
  }

  private static List<Block> newList() {
    return new ArrayList<>();
  }

  private static String key(String packageName, String simpleName) {
    return packageName + "." + simpleName;
  }

  /** One sentence for each call that should not be made in a monitor. */
  Set<String> breaches() {
    Set<String> breaches = new TreeSet<>();
    for (JavaClass type : classes) {
      for (JavaCodeUnit unit : type.getCodeUnits()) {
        calls(unit)
            .filter(call -> isInMonitor(unit, call))
            .forEach(call -> judge(call, call.getDescription(), new HashSet<>(), breaches));
      }
    }
    return breaches;
  }

  private boolean isInMonitor(JavaCodeUnit unit, JavaAccess<?> call) {
    if (unit.getModifiers().contains(JavaModifier.SYNCHRONIZED)) {
      return true;
    }
    String file = unit.getOwner().getSource().flatMap(it -> it.getFileName()).orElse("");
    return blocks
        .getOrDefault(key(unit.getOwner().getPackageName(), file.replace(".java", "")), List.of())
        .stream()
        .anyMatch(it -> it.first() <= call.getLineNumber() && call.getLineNumber() <= it.last());
  }

  private static Stream<JavaAccess<?>> calls(JavaCodeUnit unit) {
    return unit.getAccessesFromSelf().stream()
        .filter(access -> !(access instanceof JavaFieldAccess))
        .map(access -> (JavaAccess<?>) access);
  }

  private void judge(
      JavaAccess<?> call, String begun, Set<JavaCodeUnit> seen, Set<String> breaches) {
    JavaClass owner = call.getTargetOwner();
    Waits.of(owner, call.getTarget().getName())
        .ifPresent(why -> breaches.add(begun + ": " + call.getTarget().getFullName() + " " + why));
    if (!House.isWithin(owner, house.root())) {
      return;
    }
    List<JavaCodeUnit> meant = meant(owner, call);
    if (meant.isEmpty() && !isKnownToBeShort(owner, call)) {
      breaches.add(begun + ": what " + call.getTarget().getFullName() + " does is not known here");
    }
    for (JavaCodeUnit unit : meant) {
      if (seen.add(unit)) {
        calls(unit).forEach(further -> judge(further, begun, seen, breaches));
      }
    }
  }

  /** What may be called: the method itself, and those of heirs that take its place. */
  private List<JavaCodeUnit> meant(JavaClass owner, JavaAccess<?> call) {
    List<JavaCodeUnit> meant = new ArrayList<>();
    call.getTarget()
        .resolveMember()
        .filter(member -> classes.contain(member.getOwner().getName()))
        .ifPresent(member -> meant.add((JavaCodeUnit) member));
    for (JavaClass heir : owner.getAllSubclasses()) {
      heir.getCodeUnits().stream()
          .filter(unit -> unit.getName().equals(call.getTarget().getName()))
          .filter(unit -> !unit.isConstructor())
          .forEach(meant::add);
    }
    return meant;
  }

  private boolean isKnownToBeShort(JavaClass owner, JavaAccess<?> call) {
    boolean isStatic =
        call.getTarget()
            .resolveMember()
            .filter(member -> member.getModifiers().contains(JavaModifier.STATIC))
            .isPresent();
    return (owner.isRecord() && !isStatic)
        || owner.isEnum()
        || owner.isArray()
        || owner.isAssignableTo(Throwable.class)
        || owner.getPackage().isAnnotatedWith(house.packageOf("quorum.protocol.Pure"));
  }
}
