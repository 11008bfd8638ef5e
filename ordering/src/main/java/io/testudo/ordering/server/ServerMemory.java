package io.testudo.ordering.server;

import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.ordering.message.AskMemory;
import io.testudo.ordering.message.CompleteMemory;
import io.testudo.ordering.message.Enrolled;
import io.testudo.ordering.message.ListObjects;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Allowance;
import io.testudo.quorum.protocol.Part;
import java.util.List;

/**
 * The part of a server that tells which objects it knows and which it may have forgotten, and takes
 * note of memories that others lost.
 */
final class ServerMemory extends Part<ClientId> {
  /** What answers to one principal may have in bytes, at once and in each second. */
  static final long ANSWER_BYTES = 16 << 20;

  private static final long ANSWER_BYTES_PER_SECOND = 64 << 20;

  /** What it takes to look for objects by name, as bytes of an answer. */
  private static final long LIST_BYTES = 256 << 10;

  private final Membership membership;
  private final ServedObjects objects;
  private final Allowance<String> answers = new Allowance<>(ANSWER_BYTES, ANSWER_BYTES_PER_SECOND);

  ServerMemory(Part<ClientId> server, Membership membership, ServedObjects objects) {
    super(server);
    this.membership = membership;
    this.objects = objects;
    onMessage(ListObjects.class, this::onListObjects);
    onMessage(AskMemory.class, this::onAskMemory);
    onMessage(CompleteMemory.class, this::onCompleteMemory);
  }

  /** Takes up a memory, or says that it is lost; after all that was kept was read. */
  void start(Enrolment enrolment) {
    if (membership.isOutside()) {
      switch (enrolment) {
        case FOUNDING -> enrol(Enrolled.FOUNDER);
        case RETURNING -> enrol(Enrolled.returned(MemoryEpoch.drawnAt(now())));
        case EXPECTED -> tell(new MemoryLost());
      }
    }
    if (!membership.isOutside() && !membership.isComplete()) {
      tell(new NamesAwaited(true));
    }
  }

  private void enrol(Enrolled enrolled) {
    membership.take(enrolled);
    persist(enrolled);
  }

  /**
   * Whether an answer may go out that is as long. A short question may have a long answer: who asks
   * for more than can be sent would fill our memory.
   */
  boolean allows(ClientId to, long bytes) {
    if (!answers.hasSome(to.principal(), now().nanos())) {
      return false;
    }
    answers.spend(to.principal(), bytes, now().nanos());
    return true;
  }

  /** Remembers that memories of others began anew: what they said before is void. */
  void noteLost(String object, List<MemoryEpoch> lost) {
    objects.noteLost(object, lost, now()).forEach(this::persist);
  }

  private void onListObjects(ClientId from, ListObjects question) {
    if (!membership.isOutside() && allows(from, LIST_BYTES)) {
      send(from, objects.list(question));
    }
  }

  private void onAskMemory(ClientId from, AskMemory question) {
    if (membership.isOutside() || !allows(from, LIST_BYTES)) {
      return;
    }
    noteLost("", question.lost());
    send(from, objects.page(question.nonce(), membership, question.after()));
  }

  private void onCompleteMemory(ClientId from, CompleteMemory told) {
    if (membership.isOutside() || !allows(from, LIST_BYTES)) {
      return;
    }
    // What was meant for an earlier memory knows nothing of what we have forgotten since.
    if (told.epoch() == membership.epoch() && told.epoch() != MemoryEpoch.FOUNDING) {
      noteLost("", told.lost());
      membership.complete(told.names(), objects::hasAccepted);
      persist(membership.kept());
      tell(new NamesAwaited(false));
    }
    send(from, objects.page(told.nonce(), membership, ""));
  }
}
