package io.testudo.node.examination;

import com.google.common.collect.ImmutableList;
import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.config.ClientConfig;
import io.testudo.client.inquiry.Interviewer.Unasked;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.protocol.LockNames;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.ordering.ObjectLimits;
import io.testudo.ordering.message.OrderingTypes;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Grant;
import io.testudo.quorum.cluster.NoRight;
import io.testudo.quorum.ping.ServerView;
import io.testudo.quorum.ping.SurveyResult;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.wire.WireTypes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Examines all servers of a cluster, one after another: two sessions use locks and ask for objects
 * that nobody else knows of, so that for each question the answers of a correct server are known.
 * What is slow, restarted or refused is told apart from what no correct server says. Nothing is
 * left behind.
 */
public final class Examination {
  /** What names begin with that are used for this, after a prefix that the principal may use. */
  public static final String NAMES = "testudo-doctor-";

  /** What may follow it in the longest name. */
  private static final int ROOM = 64;

  /** How long the others may take to answer a survey when the first has. */
  private static final Duration REST = Duration.ofMillis(500);

  private final ClusterClient first;
  private final ClusterClient second;
  private final Duration patience;
  private final ClientConfig config;
  private final List<Observation> found = new ArrayList<>();

  private interface Examiner {
    void examine(Scene scene) throws InterruptedException;
  }

  /**
   * What is examined.
   *
   * @param mayComeUnasked what a correct server may say to a session that did not ask, given
   *     whether that may wait for a lock
   */
  private record Subject(Examiner examiner, BiPredicate<Message, Boolean> mayComeUnasked) {
    static Subject answering(Examiner examiner) {
      return new Subject(examiner, (message, waits) -> false);
    }
  }

  /**
   * Prepares one.
   *
   * @param second another session, of the same principal or of another one
   * @param patience how long an answer may take
   */
  public Examination(ClusterClient first, ClusterClient second, Duration patience) {
    this.first = first;
    this.second = second;
    this.patience = patience;
    this.config = first.config();
  }

  /**
   * Examines the servers that answer.
   *
   * @return what was found; nothing if too few answer, or if these principals may use no names
   */
  public ImmutableList<Observation> examine() throws InterruptedException {
    try {
      for (LockProtocol backend : config.common().lock().protocols()) {
        Subject subject = subjectOf(backend);
        Optional<String> prefix =
            usable(
                Right.LOCK,
                LockNames.MAX_BYTES,
                name -> {
                  String bound = config.common().lock().table().bindingOf(name).backend();
                  return bound.equals(backend.name());
                });
        if (subject != null && prefix.isPresent()) {
          examine(subject, backend.types(), prefix.get(), /* keepsQuiet= */ true);
        }
      }
      Optional<String> prefix = usable(Right.READ, ObjectLimits.MAX_NAME_BYTES, name -> true);
      if (prefix.isPresent()) {
        Subject objects = Subject.answering(scene -> new ObjectExamination(scene).examine());
        examine(objects, OrderingTypes.ALL, prefix.get(), /* keepsQuiet= */ false);
      }
    } catch (NoQuorumException e) {
      found.clear(); // That is what there is to tell, then.
    }
    return ImmutableList.copyOf(found);
  }

  /** Null for one that tolerates no liars at all. */
  private static @Nullable Subject subjectOf(LockProtocol backend) {
    return switch (backend.name()) {
      case BackoffProtocol.NAME ->
          Subject.answering(scene -> new BackoffExamination(scene).examine());
      case SigmaProtocol.NAME ->
          new Subject(
              scene -> new SigmaExamination(scene).examine(), SigmaExamination::mayComeUnasked);
      default -> null;
    };
  }

  /** The beginning of names that both principals may use; the shortest prefix that does. */
  private Optional<String> usable(Right right, int maxBytes, Predicate<String> isWanted) {
    return Stream.concat(
            Stream.concat(Stream.of(""), config.common().lock().prefixes().keySet().stream()),
            Stream.of(first, second).flatMap(each -> grantsOf(each).map(Grant::prefix)))
        .map(prefix -> prefix + NAMES)
        .filter(name -> name.getBytes(StandardCharsets.UTF_8).length + ROOM <= maxBytes)
        .filter(name -> Stream.of(first, second).allMatch(each -> allows(each, right, name)))
        .filter(isWanted)
        .min(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()));
  }

  private static Stream<Grant> grantsOf(ClusterClient client) {
    return client.config().cluster().rights().grantsOf(client.config().principal()).stream();
  }

  private static boolean allows(ClusterClient client, Right right, String name) {
    return client.config().cluster().rights().allows(client.config().principal(), right, name);
  }

  /**
   * Examines all servers in one respect.
   *
   * @param keepsQuiet whether servers take no part in it for a while after a start
   */
  private void examine(Subject subject, WireTypes types, String prefix, boolean keepsQuiet)
      throws InterruptedException {
    LockTiming timing = config.common().lock().timing();
    long startNanos = System.nanoTime();
    SurveyResult before = first.survey(patience, REST);
    try (Conversation one = new Conversation(first.connections(), types, patience);
        Conversation other = new Conversation(second.connections(), types, patience)) {
      List<Scene> scenes = new ArrayList<>();
      for (ServerView server : before.servers()) {
        if (server.answered() && !(keepsQuiet && server.quietMillis() > 0)) {
          Scene scene = new Scene(server.server(), one, other, timing, prefix);
          scenes.add(scene);
          subject.examiner().examine(scene);
        }
      }
      SurveyResult after = first.survey(patience, REST);
      // If it took longer than what a server keeps quiet for, one may have started unseen.
      boolean inTime = System.nanoTime() - startNanos < timing.maxLeaseNanos() / 2;
      for (Scene scene : scenes) {
        noteUnasked(scene, one.unasked(), message -> subject.mayComeUnasked().test(message, false));
        noteUnasked(
            scene, other.unasked(), message -> subject.mayComeUnasked().test(message, true));
        ServerView now = after.of(scene.server);
        boolean isTheSame =
            now.answered()
                && !now.hasStartedSince(before.of(scene.server))
                && !(keepsQuiet && (now.quietMillis() > 0 || !inTime));
        found.addAll(isTheSame ? scene.judged() : scene.undecided());
      }
    }
  }

  private static void noteUnasked(
      Scene scene, List<Unasked> unasked, Predicate<Message> isAllowed) {
    List<Message> said =
        unasked.stream()
            .filter(each -> each.server().equals(scene.server))
            .map(Unasked::message)
            .filter(message -> !(message instanceof NoRight) && !isAllowed.test(message))
            .toList();
    if (!said.isEmpty()) {
      scene.lies(
          "gave %d answers for which there was no question, the first one %s"
              .formatted(said.size(), said.get(0).getClass().getSimpleName()));
    }
  }
}
