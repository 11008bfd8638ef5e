package io.testudo.node.examination;

import io.testudo.client.inquiry.Interviewer.Heard;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.node.examination.Observation.Kind;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.NoRight;
import io.testudo.quorum.protocol.Message;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One server and two sessions that talk to it about names that no other server was told. So nobody
 * else can have used these names before, whoever works together with whom, and what the server says
 * of them is its own.
 */
final class Scene {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int NAME_BYTES = 16;

  final ServerId server;
  final Conversation first;
  final Conversation second;
  final LockTiming timing;
  private final String prefix;
  private final RankClock clock = new RankClock();
  private final List<Observation> found = new ArrayList<>();

  Scene(
      ServerId server, Conversation first, Conversation second, LockTiming timing, String prefix) {
    this.server = server;
    this.first = first;
    this.second = second;
    this.timing = timing;
    this.prefix = prefix;
  }

  /** A name that was never used. */
  String newName() {
    byte[] bytes = new byte[NAME_BYTES];
    RANDOM.nextBytes(bytes);
    return prefix + HexFormat.of().formatHex(bytes);
  }

  /** The time of a rank that is above all that were given before. */
  long newTime(String name) {
    return clock.next(name, first.now(), RANDOM::nextLong);
  }

  /** The same, above one that was shown. */
  long timeAbove(String name, long shown) {
    clock.observe(name, shown);
    return newTime(name);
  }

  static long nonce() {
    return RANDOM.nextLong();
  }

  /**
   * Asks; null if there was no answer, or none to go on from. That is noted.
   *
   * @param name of what is asked for
   */
  @Nullable Heard ask(
      Conversation session, String name, Message question, Predicate<Message> isAnswer)
      throws InterruptedException {
    Optional<Heard> heard =
        session.ask(
            server,
            question,
            message ->
                isAnswer.test(message)
                    || (message instanceof NoRight refusal && refusal.name().equals(name)));
    if (heard.isEmpty()) {
      note(Kind.SILENT, "did not answer in time when it was asked about '%s'".formatted(name));
      return null;
    }
    if (heard.get().message() instanceof NoRight refusal) {
      note(
          Kind.REFUSES,
          "says that this client may not %s '%s'%s"
              .formatted(
                  refusal.right().rightName(),
                  name,
                  refusal.sealsOtherwise() ? ", since it seals otherwise than all do" : ""));
      return null;
    }
    return heard.get();
  }

  void lies(String words) {
    note(Kind.LIES, words);
  }

  void note(Kind kind, String words) {
    found.add(new Observation(server, kind, words));
  }

  /** What was found, if the server did not start anew meanwhile. */
  List<Observation> judged() {
    return found.isEmpty()
        ? List.of(new Observation(server, Kind.CORRECT, "answered as a correct server does"))
        : found;
  }

  /** The same if it may have, and may have forgotten what it said before. */
  List<Observation> undecided() {
    return List.of(
        new Observation(
            server,
            Kind.ODD,
            "was started anew while it was examined, or did not answer any more; examine it"
                + " again"));
  }
}
