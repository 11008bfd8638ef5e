package io.testudo.mutex.sim;

import io.testudo.mutex.backoff.BackoffRequest;
import io.testudo.mutex.backoff.Renew;
import io.testudo.mutex.backoff.Try;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.sim.byzantine.StrategyContext;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.List;

/** What liars have heard of contenders: attempts, the newest last, each with its last number. */
final class SeenRequests {
  private static final int REMEMBERED = 12;
  private static final long TOPIC_VICTIM = 9;
  private static final long LEAST_CLIENTS = 3;

  private final List<Seen> all = new ArrayList<>();

  /** An attempt, dead or alive. */
  record Seen(ClientId client, BackoffRequest request, long number) {}

  SeenRequests() {}

  void note(ClientId from, BackoffRequest request) {
    long number = number(request);
    for (Seen seen : all) {
      if (seen.client().equals(from) && seen.request().time() == request.time()) {
        number = Math.max(number, seen.number());
      }
    }
    all.removeIf(seen -> seen.client().equals(from) && seen.request().time() == request.time());
    all.add(new Seen(from, request, Math.max(1, number)));
    if (all.size() > REMEMBERED) {
      all.remove(0);
    }
  }

  /** Whether a liar, and those it colludes with, have it in for this client. */
  static boolean isVictim(ClientId client, StrategyContext context) {
    return client.principal().equals("c" + context.agreed(TOPIC_VICTIM, LEAST_CLIENTS));
  }

  static long number(BackoffRequest request) {
    return request instanceof Try first
        ? first.number()
        : request instanceof Renew next ? next.number() : 0;
  }

  /** Attempts for a lock, the newest first. */
  List<Seen> of(String lock) {
    List<Seen> found = new ArrayList<>();
    for (int i = all.size() - 1; i >= 0; i--) {
      if (all.get(i).request().lock().equals(lock)) {
        found.add(all.get(i));
      }
    }
    return found;
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  Seen any(Entropy entropy) {
    return all.get(entropy.nextInt(all.size()));
  }
}
