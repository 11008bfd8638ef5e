package io.testudo.node.examination;

import io.testudo.client.inquiry.Interviewer.Heard;
import io.testudo.mutex.protocol.Term;
import io.testudo.mutex.sigma.Check;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.mutex.sigma.Inquiry;
import io.testudo.mutex.sigma.Owner;
import io.testudo.mutex.sigma.Request;
import io.testudo.mutex.sigma.Response;
import io.testudo.mutex.sigma.SigmaRefused;
import io.testudo.mutex.sigma.SigmaRelease;
import io.testudo.node.examination.Observation.Kind;
import io.testudo.quorum.protocol.Message;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Two sessions and one server of Sigma. Such a server may forget all when it starts, and shows by
 * its grant ids that it did: only what it says between two starts is compared.
 */
final class SigmaExamination {
  private static final int CONTENDER = 1;
  private static final int ANOTHER = 2;

  private final Scene scene;
  private final long leaseNanos;

  SigmaExamination(Scene scene) {
    this.scene = scene;
    this.leaseNanos = scene.timing.leaseNanos(scene.timing.maxHoldNanos());
  }

  void examine() throws InterruptedException {
    String name = scene.newName();
    long time = scene.newTime(name);
    Term term = new Term(scene.first.now(), leaseNanos);
    GrantId grant = grantsNewName(name, time);
    if (grant != null) {
      long later = scene.timeAbove(name, time);
      keepsOthersOut(name, new Owner(time, scene.first.session(), CONTENDER), later, grant, term);
      keepsItsWord(name, time, grant, term);
      scene.second.say(scene.server, new SigmaRelease(name, CONTENDER, later, SigmaRelease.UNUSED));
      // On the same connection, so it is answered after that: else it would be granted the lock.
      Heard unused =
          asked(
              scene.second,
              name,
              new Inquiry(name, ANOTHER, later, 1),
              answersTo(name, ANOTHER, later, 1));
    }
    scene.first.say(scene.server, new SigmaRelease(name, CONTENDER, time, SigmaRelease.UNUSED));
  }

  private @Nullable GrantId grantsNewName(String name, long time) throws InterruptedException {
    Heard heard =
        asked(
            scene.first,
            name,
            new Request(name, CONTENDER, time, leaseNanos, 1),
            answersTo(name, CONTENDER, time, 1));
    if (heard == null || !(heard.message() instanceof Response response)) {
      return null;
    }
    if (response.yours() && response.fence() >= time) {
      return response.grant();
    }
    scene.lies(
        response.yours()
            ? "granted the lock '%s' with a fence below the request".formatted(name)
            : "denied the lock '%s' and named %s, though nobody else was told that name"
                .formatted(name, owner(response)));
    return null;
  }

  private void keepsOthersOut(String name, Owner holder, long time, GrantId grant, Term term)
      throws InterruptedException {
    Heard heard =
        asked(
            scene.second,
            name,
            new Request(name, CONTENDER, time, leaseNanos, 1),
            answersTo(name, CONTENDER, time, 1));
    if (heard == null
        || !(heard.message() instanceof Response response)
        || response.grant().incarnation() != grant.incarnation()
        || term.isOver(heard.at())) {
      return;
    }
    if (response.yours()) {
      scene.lies(
          "granted the lock '%s' to a second session while the lease of the first ran"
              .formatted(name));
    } else if (!response.owner().equals(holder)) {
      scene.lies(
          "named %s of the lock '%s' while the lease of another session ran"
              .formatted(owner(response), name));
    }
  }

  private void keepsItsWord(String name, long time, GrantId grant, Term term)
      throws InterruptedException {
    Heard heard =
        asked(
            scene.first,
            name,
            new Inquiry(name, CONTENDER, time, 2),
            answersTo(name, CONTENDER, time, 2));
    if (heard != null
        && heard.message() instanceof Response response
        && response.grant().incarnation() == grant.incarnation()
        && !term.isOver(heard.at())
        && !(response.yours() && response.grant().equals(grant))) {
      scene.lies("took the lock '%s' back from a session whose lease ran".formatted(name));
    }
  }

  private @Nullable Heard asked(
      Conversation session, String name, Message question, Predicate<Message> isAnswer)
      throws InterruptedException {
    Heard heard = scene.ask(session, name, question, isAnswer);
    if (heard != null && heard.message() instanceof SigmaRefused refused) {
      scene.note(
          Kind.REFUSES,
          "refuses the lock '%s' (%s)"
              .formatted(name, refused.reason().name().toLowerCase(Locale.ROOT).replace('_', ' ')));
      return null;
    }
    return heard;
  }

  private static Predicate<Message> answersTo(String name, long contender, long time, long number) {
    return message ->
        message instanceof Response response
            ? response.lock().equals(name)
                && response.contender() == contender
                && response.time() == time
                && response.echo() == number
            : message instanceof SigmaRefused refused && refused.time() == time;
  }

  private static String owner(Response response) {
    return response.owner().isNone() ? "no owner" : "an owner that is none";
  }

  /**
   * Owners are asked now and then whether they know of their grant, and who waits is told of its
   * own.
   */
  static boolean mayComeUnasked(Message message, boolean waits) {
    return message instanceof Check
        || (waits && message instanceof Response response && response.yours());
  }
}
