package io.testudo.node.examination;

import io.testudo.client.inquiry.Interviewer.Heard;
import io.testudo.mutex.backoff.Free;
import io.testudo.mutex.backoff.Locked;
import io.testudo.mutex.backoff.Refused;
import io.testudo.mutex.backoff.Release;
import io.testudo.mutex.backoff.Renew;
import io.testudo.mutex.backoff.Stale;
import io.testudo.mutex.backoff.Try;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.mutex.protocol.Term;
import io.testudo.node.examination.Observation.Kind;
import io.testudo.quorum.protocol.Message;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Two sessions and one server of the backoff mutex. Each answer is compared with what the same
 * server has said before, and is evidence only while the lease runs that it gave: a holder counts
 * on no less.
 */
final class BackoffExamination {
  private static final int CONTENDER = 1;

  /** Ranks that a server may call too low on a name that was never used, before it is odd. */
  private static final int MAX_STALE = 4;

  private final Scene scene;
  private final long leaseNanos;

  BackoffExamination(Scene scene) {
    this.scene = scene;
    this.leaseNanos = scene.timing.leaseNanos(scene.timing.maxHoldNanos());
  }

  void examine() throws InterruptedException {
    String name = scene.newName();
    long time = scene.newTime(name);
    Term term = new Term(scene.first.now(), leaseNanos);
    if (!grantsNewName(name, time)) {
      return;
    }
    long last = keepsOthersOut(name, time, term);
    if (last > 0 && keepsItsWord(name, time, term)) {
      frees(name, time, last);
      grantsTheNext(last);
    }
    scene.first.say(scene.server, new Release(name, CONTENDER, time));
  }

  /**
   * A holder that renews at a server which knows nothing of the lock is granted it, whatever its
   * rank.
   */
  private boolean grantsNewName(String name, long time) throws InterruptedException {
    Heard heard = renew(name, time, 1);
    if (heard == null) {
      return false;
    }
    if (heard.message() instanceof Free) {
      return true;
    }
    scene.lies(
        "answered %s to the first request for the lock '%s', a name that nobody else was told"
            .formatted(word(heard.message()), name));
    return false;
  }

  /** Gives the last rank that it shows; 0 if there is nothing to go on from. */
  private long keepsOthersOut(String name, long time, Term term) throws InterruptedException {
    long rank = scene.timeAbove(name, time);
    boolean wasStale = false;
    while (true) {
      Heard heard = attempt(name, rank);
      if (heard == null) {
        return 0;
      }
      if (heard.message() instanceof Locked locked) {
        if (locked.last().time() < time && !term.isOver(heard.at())) {
          scene.lies(
              "showed a last rank of the lock '%s' below the one that it has granted"
                  .formatted(name));
        }
        return Math.max(rank, locked.last().time());
      }
      if (heard.message() instanceof Stale stale && !wasStale && stale.last().time() >= rank) {
        wasStale = true; // Its floor may be higher. While the lock is held it does not move.
        rank = scene.timeAbove(name, stale.last().time());
        continue;
      }
      if (heard.message() instanceof Free) {
        scene.second.say(scene.server, new Release(name, CONTENDER, rank));
      }
      if (!term.isOver(heard.at())) {
        scene.lies(
            heard.message() instanceof Free
                ? "granted the lock '%s' to a second session while the lease of the first ran"
                    .formatted(name)
                : "called a rank of the lock '%s' too low that is above the last one it showed"
                    .formatted(name));
      }
      return 0;
    }
  }

  private boolean keepsItsWord(String name, long time, Term term) throws InterruptedException {
    Heard heard = renew(name, time, 2);
    if (heard == null || term.isOver(heard.at())) {
      return false;
    }
    if (!(heard.message() instanceof Free)) {
      scene.lies(
          "took the lock '%s' back (%s) from a session whose lease ran"
              .formatted(name, word(heard.message())));
      return false;
    }
    return true;
  }

  private void frees(String name, long time, long last) throws InterruptedException {
    scene.first.say(scene.server, new Release(name, CONTENDER, time));
    // On the same connection, so it comes after that.
    Heard returned = renew(name, time, 3);
    if (returned == null) {
      return;
    }
    if (returned.message() instanceof Free) {
      scene.lies("granted the lock '%s' again that was given back".formatted(name));
      return;
    }
    long rank = scene.timeAbove(name, last);
    Heard heard = attempt(name, rank);
    if (heard != null && !(heard.message() instanceof Free)) {
      scene.note(
          Kind.ODD,
          "answered %s for the lock '%s' that was given back; unless somebody saw the name and asked for it, it lies"
              .formatted(word(heard.message()), name));
    }
    scene.second.say(scene.server, new Release(name, CONTENDER, rank));
  }

  private void grantsTheNext(long last) throws InterruptedException {
    String name = scene.newName();
    long rank = scene.timeAbove(name, last);
    for (int tries = 0; tries < MAX_STALE; tries++) {
      Heard heard = attempt(name, rank);
      if (heard == null) {
        return;
      }
      if (heard.message() instanceof Stale stale && stale.last().time() >= rank) {
        rank = scene.timeAbove(name, stale.last().time());
        continue;
      }
      scene.second.say(scene.server, new Release(name, CONTENDER, rank));
      if (!(heard.message() instanceof Free)) {
        scene.lies(
            "answered %s for the lock '%s', a name that nobody else was told"
                .formatted(word(heard.message()), name));
      }
      return;
    }
    scene.note(
        Kind.ODD,
        "called %d ranks in turn too low for the lock '%s', each above the one it had shown; unless it forgets names because it has too many, it lies"
            .formatted(MAX_STALE, name));
  }

  private @Nullable Heard renew(String name, long time, long number) throws InterruptedException {
    return asked(
        scene.first,
        name,
        new Renew(name, CONTENDER, time, leaseNanos, number),
        answersTo(name, time, number));
  }

  private @Nullable Heard attempt(String name, long time) throws InterruptedException {
    return asked(
        scene.second,
        name,
        new Try(name, CONTENDER, time, Optional.empty(), leaseNanos, 1, /* joins= */ false),
        answersTo(name, time, 1));
  }

  private @Nullable Heard asked(
      Conversation session, String name, Message question, Predicate<Message> isAnswer)
      throws InterruptedException {
    Heard heard = scene.ask(session, name, question, isAnswer);
    if (heard != null && heard.message() instanceof Refused refused) {
      scene.note(
          Kind.REFUSES,
          "refuses the lock '%s' (%s)"
              .formatted(name, refused.reason().name().toLowerCase(Locale.ROOT).replace('_', ' ')));
      return null;
    }
    return heard;
  }

  private static Predicate<Message> answersTo(String name, long time, long number) {
    return message ->
        message instanceof Free free
            ? free.equals(new Free(name, CONTENDER, time, number))
            : message instanceof Locked locked
                ? locked.time() == time && locked.number() == number
                : message instanceof Stale stale
                    ? stale.time() == time && stale.number() == number
                    : message instanceof Refused refused && refused.time() == time;
  }

  private static String word(Message answer) {
    SealedRank last =
        answer instanceof Locked locked
            ? locked.last()
            : answer instanceof Stale stale ? stale.last() : SealedRank.NONE;
    return answer.getClass().getSimpleName().toUpperCase(Locale.ROOT)
        + (last.time() > 0 ? " with the last rank " + last.time() : "");
  }
}
