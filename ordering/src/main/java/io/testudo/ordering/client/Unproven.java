package io.testudo.ordering.client;

import io.testudo.crypto.SealKind;
import io.testudo.ordering.log.Choice;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Report;
import io.testudo.quorum.ServerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What servers show of an object, for clients that lack the key to check it: because they may not
 * order, or because the key is no longer in use. A correct server stores statements of those only
 * who may order, so what more servers show than can lie is what an orderer said, whenever each of
 * them showed it.
 */
final class Unproven {
  /** What each server showed last. */
  private final Map<ServerId, Choice.Told> shown = new HashMap<>();

  /** Reports that wait for others that show the same, at most one of each server. */
  private final Map<ServerId, Report> held = new HashMap<>();

  /** Whatever was held of a server is overtaken. */
  void show(ServerId from, Report report) {
    shown.put(from, new Choice.Told(from, report.proposed(), report.committed()));
    held.remove(from);
  }

  void hold(ServerId from, Report report) {
    held.put(from, report);
  }

  /** A report that need not wait any more, with who showed it. */
  record Released(ServerId from, Report report) {}

  /** Reports that were held and need not be any more. */
  List<Released> release(Predicate<Report> isProven) {
    List<Released> released = new ArrayList<>();
    held.forEach(
        (from, report) -> {
          if (isProven.test(report)) {
            released.add(new Released(from, report));
          }
        });
    released.forEach(one -> held.remove(one.from()));
    return released;
  }

  /** Whether so many servers and one more show a statement; a commit was proposed, too. */
  boolean isShownByMoreThan(int servers, SealKind kind, Statement said) {
    return shown.values().stream().filter(told -> shows(told, kind, said)).count() > servers;
  }

  private static boolean shows(Choice.Told told, SealKind kind, Statement said) {
    return told.committed().filter(it -> isSame(it, said)).isPresent()
        || (kind == SealKind.PROPOSE && told.proposed().filter(it -> isSame(it, said)).isPresent());
  }

  /** Without the seals: those of liars are worth as much as their words. */
  private static boolean isSame(Statement one, Statement other) {
    return one.rank().equals(other.rank()) && one.state().equals(other.state());
  }
}
