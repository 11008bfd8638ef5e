package io.testudo.ordering.client;

import io.testudo.ordering.log.Choice;
import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.ordering.log.MemoryEpochs;
import io.testudo.ordering.message.Report;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What servers report to one question, without what a loss of memory has overtaken. A report is
 * void if it was asked for before somebody told of a later memory of its server. One server's word
 * is enough for that, because it costs nothing but time: the server is asked again, and what it
 * answers then it said after all that was told.
 */
final class ReportTally {
  private final long nonce;
  private final Map<ServerId, Report> reports = new HashMap<>();

  /** Of those that were asked again, the question they have to answer. */
  private final Map<ServerId, Long> askedAgain = new HashMap<>();

  /** The latest memory of each server that was told of since it was asked. */
  private final MemoryEpochs toldSinceAsked = new MemoryEpochs();

  /** The latest memory of each server as far as is known: told, and not refuted by itself since. */
  private final MemoryEpochs known = new MemoryEpochs();

  /** In which memory each server answered last, whether that counted or not. */
  private final Map<ServerId, Long> answeredIn = new HashMap<>();

  /** Those that answered in two memories. That happens; three are a liar's. */
  private ServerSet changed = ServerSet.none();

  ReportTally(long nonce) {
    this.nonce = nonce;
  }

  /** Of the question that a server has to answer. */
  long nonceFor(ServerId server) {
    return askedAgain.getOrDefault(server, nonce);
  }

  boolean awaits(ServerId from, long answered) {
    return nonceFor(from) == answered && !reports.containsKey(from);
  }

  Collection<Report> reports() {
    return reports.values();
  }

  Map<ServerId, Report> byServer() {
    return reports;
  }

  /** What they say of states. */
  List<Choice.Told> told() {
    return reports.entrySet().stream()
        .map(
            it -> new Choice.Told(it.getKey(), it.getValue().proposed(), it.getValue().committed()))
        .toList();
  }

  ServerSet reporters() {
    ServerSet reporters = ServerSet.none();
    for (ServerId server : reports.keySet()) {
      reporters = reporters.with(server);
    }
    return reporters;
  }

  /** Those that were asked again and have not answered yet. */
  ServerSet awaitedAgain() {
    ServerSet awaited = ServerSet.none();
    for (ServerId server : askedAgain.keySet()) {
      awaited = reports.containsKey(server) ? awaited : awaited.with(server);
    }
    return awaited;
  }

  /**
   * Takes a report that is awaited.
   *
   * @param isDecided whether what it tells of others does not matter any more
   * @return those whose reports are void now, to be asked again with {@link #askAgain}
   */
  ServerSet take(ServerId from, Report report, boolean isDecided) {
    Long before = answeredIn.put(from, report.epoch());
    boolean isNews = before == null;
    if (before != null && before != report.epoch()) {
      if (changed.contains(from)) {
        return ServerSet.none();
      }
      changed = changed.with(from);
      isNews = true;
    }
    ServerSet isVoid = ServerSet.none();
    if (report.epoch() < toldSinceAsked.of(from)) {
      isVoid = ServerSet.of(from);
    } else {
      reports.put(from, report.withoutBodies());
      known.put(from, report.epoch());
    }
    if (!isDecided && isNews) {
      for (MemoryEpoch other : report.others()) {
        if (!other.server().equals(from)) {
          isVoid = hear(other) ? isVoid.with(other.server()) : isVoid;
        }
      }
    }
    return isVoid;
  }

  /** Whether what the server reported is void with what was told of it now. */
  private boolean hear(MemoryEpoch told) {
    boolean unused = toldSinceAsked.note(told);
    unused = known.note(told);
    Report older = reports.get(told.server());
    return older != null && older.epoch() < told.epoch() && reports.remove(told.server(), older);
  }

  /** From now on only an answer to this question counts, in whatever memory it is given. */
  void askAgain(ServerId server, long question) {
    askedAgain.put(server, question);
    toldSinceAsked.put(server, 0);
  }

  /** Whether something that a server accepted is still in its memory, as far as is known. */
  boolean remembers(ServerId server, long epoch) {
    return epoch >= known.of(server);
  }

  /** Those of them that are counted and have taken note of a loss. */
  ServerSet thatNoted(MemoryEpoch lost) {
    ServerSet noted = ServerSet.none();
    for (Map.Entry<ServerId, Report> it : reports.entrySet()) {
      boolean isNoted = it.getValue().others().contains(lost);
      noted = isNoted ? noted.with(it.getKey()) : noted;
    }
    return noted.without(lost.server());
  }

  /** The servers that lost their memory once, and when, as far as is known. */
  List<MemoryEpoch> lost() {
    return known.all().stream().filter(it -> it.epoch() > MemoryEpoch.FOUNDING).toList();
  }
}
