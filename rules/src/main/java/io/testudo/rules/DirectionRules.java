package io.testudo.rules;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Who may look into which room, between modules and inside them. */
final class DirectionRules {
  /** The name by which the root package of quorum stands in the map below. */
  private static final String ROOT = "";

  /** For each package of quorum, the others of quorum that it may use. */
  private static final Map<String, Set<String>> INSIDE_QUORUM =
      Map.ofEntries(
          Map.entry(ROOT, Set.of()),
          Map.entry("spi", Set.of(ROOT)),
          Map.entry("protocol", Set.of(ROOT, "spi")),
          Map.entry("wire", Set.of(ROOT, "spi", "protocol")),
          Map.entry("cluster", Set.of(ROOT, "spi", "protocol", "wire")),
          Map.entry("channel", Set.of(ROOT, "spi", "protocol", "wire", "cluster")),
          Map.entry("ping", Set.of(ROOT, "spi", "protocol", "wire", "cluster")),
          Map.entry(
              "runtime", Set.of(ROOT, "spi", "protocol", "wire", "cluster", "channel", "ping")),
          Map.entry(
              "journal",
              Set.of(ROOT, "spi", "protocol", "wire", "cluster", "channel", "ping", "runtime")),
          Map.entry(
              "netty",
              Set.of(ROOT, "spi", "protocol", "wire", "cluster", "channel", "ping", "runtime")),
          Map.entry(
              "embedded",
              Set.of(ROOT, "spi", "protocol", "wire", "cluster", "runtime", "journal", "netty")),
          Map.entry("junit", Set.of(ROOT, "protocol", "wire", "netty", "embedded")),
          Map.entry(
              "sim",
              Set.of(
                  ROOT,
                  "spi",
                  "protocol",
                  "wire",
                  "cluster",
                  "channel",
                  "ping",
                  "runtime",
                  "journal")));

  private static final Set<String> PROTOCOLS_OF_MUTEX = Set.of("backoff", "sigma", "p2p");

  /** For each package of the ordering protocol, the others of ordering that it may use. */
  private static final Map<String, Set<String>> INSIDE_ORDERING =
      Map.of(
          "log", Set.of(ROOT),
          "message", Set.of(ROOT, "log"),
          "server", Set.of(ROOT, "log", "message"),
          "client", Set.of(ROOT, "log", "message"));

  private final House house;

  DirectionRules(House house) {
    this.house = house;
  }

  List<ArchRule> all() {
    return List.of(
        roomsLookLeft(),
        packagesOfQuorumLookInward(),
        protocolsOfMutexStayApart(),
        protocolOfOrderingKnowsNoObjects(),
        noPackageCycles());
  }

  ArchRule roomsLookLeft() {
    return rule(
        "look only into rooms to the left: " + String.join(" <- ", House.ROOMS),
        "a module that knows its users cannot be used without them",
        this::betweenRooms);
  }

  private Optional<String> betweenRooms(List<String> from, List<String> to) {
    int fromPlace = House.ROOMS.indexOf(from.get(0));
    if (fromPlace < 0) {
      return Optional.of("is in no known room: add '" + from.get(0) + "' to House.ROOMS");
    }
    return House.ROOMS.indexOf(to.get(0)) <= fromPlace
        ? Optional.empty()
        : Optional.of("'" + from.get(0) + "' must not look into '" + to.get(0) + "'");
  }

  ArchRule packagesOfQuorumLookInward() {
    return rule(
        "use only the packages of quorum that come before their own",
        "the step contract must not know who runs it, and no port who fills it",
        DirectionRules::insideQuorum);
  }

  private static Optional<String> insideQuorum(List<String> from, List<String> to) {
    if (!from.get(0).equals("quorum")) {
      return Optional.empty();
    }
    String fromPackage = second(from);
    if (!INSIDE_QUORUM.containsKey(fromPackage)) {
      return Optional.of("'" + fromPackage + "' has no place in DirectionRules.INSIDE_QUORUM yet");
    }
    if (!to.get(0).equals("quorum")) {
      return Optional.empty();
    }
    String toPackage = second(to);
    return fromPackage.equals(toPackage) || INSIDE_QUORUM.get(fromPackage).contains(toPackage)
        ? Optional.empty()
        : Optional.of(quorum(fromPackage) + " must not use " + quorum(toPackage));
  }

  private static String quorum(String inner) {
    return inner.equals(ROOT) ? "the root of quorum" : "'quorum." + inner + "'";
  }

  ArchRule protocolsOfMutexStayApart() {
    return rule(
        "keep the protocols of mutex apart",
        "each is read beside its own paper and may be dropped without the others",
        (from, to) ->
            isProtocolOfMutex(from) && isProtocolOfMutex(to) && !second(from).equals(second(to))
                ? Optional.of("'" + second(from) + "' must not use '" + second(to) + "'")
                : Optional.empty());
  }

  private static boolean isProtocolOfMutex(List<String> segments) {
    return segments.get(0).equals("mutex") && PROTOCOLS_OF_MUTEX.contains(second(segments));
  }

  ArchRule protocolOfOrderingKnowsNoObjects() {
    return rule(
        "order operations without knowing the objects, and what travels without knowing the sides",
        "the order is the same for a counter and for a type that a user wrote",
        DirectionRules::insideOrdering);
  }

  private static Optional<String> insideOrdering(List<String> from, List<String> to) {
    if (!from.get(0).equals("ordering") || !to.get(0).equals("ordering")) {
      return Optional.empty();
    }
    Set<String> allowed = INSIDE_ORDERING.get(second(from));
    return allowed == null || allowed.contains(second(to)) || second(from).equals(second(to))
        ? Optional.empty()
        : Optional.of("'ordering." + second(from) + "' must not use 'ordering." + second(to) + "'");
  }

  /** Every package is a slice of its own, so a package and its subpackage may not form a cycle. */
  ArchRule noPackageCycles() {
    return slices()
        .matching(house.root() + ".(**)")
        .should()
        .beFreeOfCycles()
        .because("packages in a cycle can only be understood together")
        .allowEmptyShould(true);
  }

  private static String second(List<String> segments) {
    return segments.size() > 1 ? segments.get(1) : ROOT;
  }

  /** A rule over each pair of packages of this house of which one uses the other. */
  private ArchRule rule(String should, String because, Objection objection) {
    return EachClass.should(
        should,
        because,
        (type, breaches) ->
            house.segments(type).ifPresent(from -> check(type, from, objection, breaches)));
  }

  private void check(
      JavaClass type, List<String> from, Objection objection, Consumer<String> breaches) {
    // A class uses its own package too: so a package without a place is found even when idle.
    objection.to(from, from).ifPresent(why -> breaches.accept(type.getDescription() + ": " + why));
    for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
      house
          .segments(dependency.getTargetClass().getBaseComponentType())
          .flatMap(to -> objection.to(from, to))
          .ifPresent(why -> breaches.accept(dependency.getDescription() + ": " + why));
    }
  }

  /** Why one package must not use another; packages are given as their names below the root. */
  private interface Objection {
    Optional<String> to(List<String> from, List<String> used);
  }
}
