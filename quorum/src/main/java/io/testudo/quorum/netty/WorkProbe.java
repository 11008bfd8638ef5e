package io.testudo.quorum.netty;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Finds out which machines of a server do their work; one inquiry at a time. */
final class WorkProbe {
  private final AtomicReference<@Nullable CompletableFuture<List<String>>> present =
      new AtomicReference<>();

  /** The names of those that did not manage it in time. */
  @SuppressWarnings("FutureReturnValueIgnored") // It is given out below.
  CompletableFuture<List<String>> of(Collection<Attendant> attendants, Duration within) {
    CompletableFuture<List<String>> fresh = new CompletableFuture<>();
    CompletableFuture<List<String>> underWay = present.compareAndExchange(null, fresh);
    if (underWay != null) {
      return underWay.copy();
    }
    Set<Attendant> silent = ConcurrentHashMap.newKeySet();
    silent.addAll(attendants);
    if (silent.isEmpty()) {
      fresh.complete(List.of());
    }
    try {
      for (Attendant attendant : attendants) {
        attendant.prove(
            () -> {
              silent.remove(attendant);
              if (silent.isEmpty()) {
                fresh.complete(List.of());
              }
            });
      }
    } catch (RejectedExecutionException e) {
      // The loop has ended: its machines stay silent.
    }
    fresh.orTimeout(within.toMillis(), TimeUnit.MILLISECONDS);
    return fresh
        .exceptionally(late -> silent.stream().map(Attendant::name).sorted().toList())
        .whenComplete((names, none) -> present.set(null));
  }
}
