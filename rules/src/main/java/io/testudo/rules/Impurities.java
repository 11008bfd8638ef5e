package io.testudo.rules;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Every outside type and member that a pure package must not use, with the reason. */
final class Impurities {
  private static final String TIME = "time is an input";
  private static final String RANDOM = "randomness comes from Entropy";
  private static final String THREADS = "one thread steps";
  private static final String IO = "effects are returned, not performed";
  private static final String ENVIRONMENT = "the result would depend on the machine";

  private static final Map<String, String> PACKAGES =
      Map.ofEntries(
          Map.entry("java.io", IO),
          Map.entry("java.net", IO),
          Map.entry("javax.net", IO),
          Map.entry("java.nio.channels", IO),
          Map.entry("java.nio.file", IO),
          Map.entry("java.util.logging", IO),
          Map.entry("org.slf4j", IO),
          Map.entry("io.netty", IO),
          Map.entry("com.google.common.io", IO),
          Map.entry("java.util.concurrent", THREADS),
          Map.entry("com.google.common.util.concurrent", THREADS),
          Map.entry("com.google.common.cache", TIME),
          Map.entry("java.util.random", RANDOM),
          Map.entry("java.lang.ref", ENVIRONMENT),
          Map.entry("java.lang.reflect", ENVIRONMENT));

  private static final Map<String, String> TYPES =
      Map.ofEntries(
          Map.entry("java.lang.Thread", THREADS),
          Map.entry("java.lang.ThreadGroup", THREADS),
          Map.entry("java.lang.ThreadLocal", THREADS),
          Map.entry("java.lang.InheritableThreadLocal", THREADS),
          Map.entry("java.util.Timer", THREADS),
          Map.entry("java.util.TimerTask", THREADS),
          Map.entry("java.lang.Runtime", ENVIRONMENT),
          Map.entry("java.lang.Process", IO),
          Map.entry("java.lang.ProcessBuilder", IO),
          Map.entry("java.lang.ProcessHandle", IO),
          Map.entry("java.util.ServiceLoader", ENVIRONMENT),
          Map.entry("java.util.IdentityHashMap", ENVIRONMENT),
          Map.entry("java.util.WeakHashMap", ENVIRONMENT),
          Map.entry("java.util.Random", RANDOM),
          Map.entry("java.util.SplittableRandom", RANDOM),
          Map.entry("java.security.SecureRandom", RANDOM),
          Map.entry("java.time.Clock", TIME),
          Map.entry("java.time.InstantSource", TIME),
          Map.entry("java.util.Date", TIME),
          Map.entry("java.util.Calendar", TIME),
          Map.entry("com.google.common.base.Stopwatch", TIME),
          Map.entry("com.google.common.base.Ticker", TIME));

  /**
   * Exceptions to {@link #PACKAGES}. javac itself writes {@code Serializable} where it infers the
   * common type of, say, a number and a string.
   */
  private static final Set<String> HARMLESS =
      Set.of("java.io.Serializable", "java.util.concurrent.TimeUnit");

  private static final Set<String> PURE_MEMBERS_OF_SYSTEM = Set.of("arraycopy");

  private record Members(String owner, Set<String> names, String why) {}

  /** An owner that ends with a dot is a package: the member is banned on all of its types. */
  private static final List<Members> MEMBERS =
      List.of(
          new Members("java.time.", Set.of("now"), TIME),
          new Members("java.time.ZoneId", Set.of("systemDefault"), ENVIRONMENT),
          new Members("java.util.Locale", Set.of("getDefault"), ENVIRONMENT),
          new Members("java.util.TimeZone", Set.of("getDefault"), ENVIRONMENT),
          new Members("java.lang.Class", Set.of("forName"), ENVIRONMENT),
          new Members("java.lang.Math", Set.of("random"), RANDOM),
          new Members("java.lang.StrictMath", Set.of("random"), RANDOM),
          new Members("java.util.UUID", Set.of("randomUUID"), RANDOM),
          new Members("java.util.Collections", Set.of("shuffle"), RANDOM),
          new Members("java.lang.Object", Set.of("wait", "notify", "notifyAll"), THREADS),
          // Erased calls on a type variable are caught too: call hashCode on a type that has one.
          new Members("java.lang.Object", Set.of("hashCode"), ENVIRONMENT),
          new Members("java.lang.Throwable", Set.of("printStackTrace"), IO),
          new Members(
              "java.util.concurrent.TimeUnit", Set.of("sleep", "timedWait", "timedJoin"), THREADS),
          new Members("java.util.", Set.of("parallelStream"), THREADS),
          new Members("java.util.stream.", Set.of("parallel"), THREADS));

  private Impurities() {}

  static Optional<String> ofType(JavaClass type) {
    String name = topLevelName(type);
    if (HARMLESS.contains(name)) {
      return Optional.empty();
    }
    return Optional.ofNullable(TYPES.get(name))
        .or(
            () ->
                PACKAGES.entrySet().stream()
                    .filter(entry -> House.isWithin(type, entry.getKey()))
                    .map(Map.Entry::getValue)
                    .findFirst());
  }

  static Optional<String> ofMember(JavaClass owner, String member) {
    String name = topLevelName(owner);
    if (name.equals("java.lang.System")) {
      return PURE_MEMBERS_OF_SYSTEM.contains(member) ? Optional.empty() : Optional.of(ENVIRONMENT);
    }
    return MEMBERS.stream()
        .filter(banned -> banned.names().contains(member) && isOwner(name, banned.owner()))
        .map(Members::why)
        .findFirst();
  }

  private static boolean isOwner(String name, String owner) {
    return owner.endsWith(".") ? name.startsWith(owner) : name.equals(owner);
  }

  static String topLevelName(JavaClass type) {
    String name = type.getName();
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }
}
