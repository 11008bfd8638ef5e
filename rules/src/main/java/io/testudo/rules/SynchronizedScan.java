package io.testudo.rules;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the {@code synchronized} blocks of pure packages, which class files hide from rules. */
final class SynchronizedScan {
  private SynchronizedScan() {}

  static List<String> breaches(Collection<ParsedSource> sources) {
    Set<String> pure =
        sources.stream()
            .filter(source -> source.isPackageInfo() && isMarkedPure(source))
            .map(ParsedSource::packageName)
            .collect(Collectors.toSet());
    List<String> breaches = new ArrayList<>();
    for (ParsedSource source : sources) {
      if (pure.contains(source.packageName())) {
        new TreeScanner<@Nullable Void, @Nullable Void>() {
          @Override
          public @Nullable Void visitSynchronized(SynchronizedTree block, @Nullable Void unused) {
            breaches.add(source.place(block) + " synchronizes in a package marked @Pure");
            return super.visitSynchronized(block, null);
          }
        }.scan(source.unit(), null);
      }
    }
    return breaches;
  }

  private static boolean isMarkedPure(ParsedSource packageInfo) {
    return packageInfo.unit().getPackageAnnotations().stream()
        .map(AnnotationTree::getAnnotationType)
        .map(Object::toString)
        .anyMatch(name -> name.equals("Pure") || name.endsWith(".Pure"));
  }
}
