package io.testudo.rules;

import com.sun.source.tree.ExportsTree;
import com.sun.source.util.TreeScanner;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.properties.HasModifiers;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a module exports to everybody names only what everybody can see: the JDK, and other packages
 * that are exported to everybody. So no type of another library is part of what applications
 * compile against, and such a library can be replaced.
 */
final class ExportScan {
  private ExportScan() {}

  /** The packages that a module exports to everybody. */
  static Set<String> exportedBy(ParsedSource moduleInfo) {
    Set<String> packages = new TreeSet<>();
    new TreeScanner<@Nullable Void, @Nullable Void>() {
      @Override
      public @Nullable Void visitExports(ExportsTree exports, @Nullable Void unused) {
        if (exports.getModuleNames() == null) {
          packages.add(exports.getPackageName().toString());
        }
        return null;
      }
    }.scan(moduleInfo.unit(), null);
    return packages;
  }

  static List<String> breaches(JavaClasses classes, Set<String> exported) {
    return classes.stream()
        .filter(type -> exported.contains(type.getPackageName()) && isSeen(type))
        .flatMap(
            type ->
                named(type)
                    .flatMap(used -> used.getAllInvolvedRawTypes().stream())
                    .map(JavaClass::getBaseComponentType)
                    .filter(used -> !isForEverybody(used, exported) && !isBrought(type, used))
                    .map(used -> type.getName() + " shows " + used.getName()))
        .distinct()
        .sorted()
        .toList();
  }

  private static boolean isForEverybody(JavaClass type, Set<String> exported) {
    return type.isPrimitive()
        || type.getPackageName().startsWith("java.")
        || exported.contains(type.getPackageName());
  }

  /** Whoever uses an extension for JUnit has JUnit; the others need neither. */
  private static boolean isBrought(JavaClass type, JavaClass used) {
    return type.getPackageName().endsWith(".junit")
        && used.getPackageName().startsWith("org.junit.");
  }

  private static boolean isSeen(JavaClass type) {
    Optional<JavaClass> outer = type.getEnclosingClass();
    return isSeen((HasModifiers) type) && (outer.isEmpty() || isSeen(outer.get()));
  }

  private static boolean isSeen(HasModifiers member) {
    return member.getModifiers().contains(JavaModifier.PUBLIC)
        || member.getModifiers().contains(JavaModifier.PROTECTED);
  }

  private static Stream<JavaType> named(JavaClass type) {
    Stream<JavaType> parents =
        Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream());
    return Stream.concat(
        parents,
        type.getMembers().stream()
            .filter(member -> isSeen((HasModifiers) member))
            .flatMap(member -> named(member).stream()));
  }

  private static Collection<JavaType> named(JavaMember member) {
    if (member instanceof JavaField field) {
      return List.of(field.getType());
    }
    JavaCodeUnit unit = (JavaCodeUnit) member;
    return Stream.of(
            Stream.of(unit.getReturnType()),
            unit.getParameterTypes().stream(),
            unit.getExceptionTypes().stream())
        .flatMap(types -> types)
        .map(JavaType.class::cast)
        .toList();
  }
}
