package io.testudo.ordering.sim.scope;

import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.sim.scope.Clients.Happening;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * All runs of two clients and a few servers, up to a bound, with the real machines. Messages arrive
 * in any order, late, repeatedly or never; clients lose patience at any time; liars say anything.
 * States are visited once, and so are those that differ by the names of servers only.
 *
 * <p>A request and its answer are one step, and the answer may be lost. Nothing is lost by that: an
 * answer that comes late is one that its client could have had at once without anybody noticing.
 */
final class SmallScope {
  /** How large a scope is. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Bounds(Mode mode, int[] operations, int[] patience, int liars, int forgetful) {}

  private static final int MAX_STEPS = 200;

  private final Bounds bounds;
  private final int correct;
  private final int bits;
  private final Messages messages = new Messages();
  private final Lies lies;
  private final Servers servers;
  private final Clients[] clients = new Clients[2];
  private final Map<Sent, List<Message>> liesByClients = new HashMap<>();
  private final Map<Long, Boolean> agreeing = new HashMap<>();
  private final Visited visited = new Visited();

  /** What lies depend on. */
  private record Sent(int byFirst, int bySecond, int to, boolean forgets) {}

  /**
   * What was found.
   *
   * @param complete whether there was nothing left to visit
   * @param fork how two clients came to hold different states for chosen, told step by step
   */
  record Found(long states, boolean complete, Optional<List<String>> fork) {}

  SmallScope(Bounds bounds) {
    this.bounds = bounds;
    Thresholds thresholds =
        bounds.mode().need().thresholds(bounds.mode().need().leastServers(1), 1);
    this.correct = thresholds.servers() - bounds.liars() - bounds.forgetful();
    this.bits = Math.min(Long.SIZE / correct, Integer.SIZE - 1);
    this.lies = new Lies(bounds.mode(), messages);
    this.servers = new Servers(bounds.mode());
    for (int i = 0; i < clients.length; i++) {
      clients[i] = new Clients(thresholds, bounds.mode(), i, messages);
    }
  }

  /** One state of the whole: numbers of the clients' states, then of the servers'. */
  private final class Whole {
    final int[] parts;

    Whole(int[] parts) {
      this.parts = parts;
    }

    Whole with(int place, int value) {
      int[] changed = parts.clone();
      changed[place] = value;
      return new Whole(changed);
    }

    long clientKey() {
      return ((long) parts[0] << Integer.SIZE) | parts[1];
    }

    long serverKey() {
      long key = 0;
      for (int i = 0; i < correct; i++) {
        if (parts[2 + i] >>> bits != 0) {
          throw new IllegalStateException("more server states than there are numbers for");
        }
        key = key << bits | parts[2 + i];
      }
      return key;
    }
  }

  /**
   * One of the states that differ from this one only by the names of correct servers, as a rule
   * always the same one: the servers' states in order.
   */
  private Whole canonical(Whole here) {
    Whole best = null;
    for (int[] names : Renamings.sorting(Arrays.copyOfRange(here.parts, 2, here.parts.length))) {
      int[] parts = new int[here.parts.length];
      for (int server = 0; server < correct; server++) {
        parts[2 + names[server]] = here.parts[2 + server];
      }
      parts[0] = clients[0].renamed(here.parts[0], names);
      parts[1] = clients[1].renamed(here.parts[1], names);
      Whole renamed = new Whole(parts);
      best = best == null || renamed.clientKey() < best.clientKey() ? renamed : best;
    }
    return Objects.requireNonNull(best);
  }

  private Whole whole(int index) {
    int[] parts = new int[2 + correct];
    parts[0] = (int) (visited.first(index) >>> Integer.SIZE);
    parts[1] = (int) visited.first(index);
    long key = visited.second(index);
    for (int i = correct - 1; i >= 0; i--) {
      parts[2 + i] = (int) (key & ((1L << bits) - 1));
      key >>>= bits;
    }
    return new Whole(parts);
  }

  /**
   * Something that can happen, which is worked out only when it is taken.
   *
   * @param next the state that follows; none if nothing would change
   * @param told what happens
   */
  private record Way(Supplier<Optional<Whole>> next, Supplier<String> told) {}

  /** Visits all states, nearest first, until there are no more or as many as this were visited. */
  Found explore(int maxStates) {
    Whole start = new Whole(new int[2 + correct]);
    visited.add(start.clientKey(), start.serverKey(), -1);
    for (int index = 0; index < visited.size() && visited.size() < maxStates; index++) {
      int fork = -1;
      for (Way way : ways(whole(index))) {
        Optional<Whole> after = way.next().get().map(this::canonical);
        if (after.isPresent()
            && visited.add(after.get().clientKey(), after.get().serverKey(), index)
            && fork < 0
            && !agree(after.get())) {
          fork = visited.size() - 1;
        }
      }
      if (fork >= 0) {
        return new Found(visited.size(), false, Optional.of(story(fork)));
      }
    }
    return new Found(visited.size(), visited.size() < maxStates, Optional.empty());
  }

  /**
   * Goes on from the start by chance to where nothing can happen any more, many times. Each time,
   * all ways that change something are equally likely: those that do not are drawn again.
   */
  Found wander(int walks, Entropy entropy) {
    long steps = 0;
    for (int walk = 0; walk < walks; walk++) {
      Whole here = new Whole(new int[2 + correct]);
      List<String> story = new ArrayList<>();
      for (int step = 0; step < MAX_STEPS; step++) {
        List<Way> left = ways(here);
        Optional<Whole> next = Optional.empty();
        while (next.isEmpty() && !left.isEmpty()) {
          Collections.swap(left, entropy.nextInt(left.size()), left.size() - 1);
          Way way = left.remove(left.size() - 1);
          next = way.next().get();
          if (next.isPresent()) {
            story.add(way.told().get());
          }
        }
        if (next.isEmpty()) {
          break;
        }
        here = next.get();
        steps++;
        if (!agree(here)) {
          return new Found(steps, false, Optional.of(story));
        }
      }
    }
    return new Found(steps, false, Optional.empty());
  }

  private List<Way> ways(Whole here) {
    List<Way> ways = new ArrayList<>();
    for (int client = 0; client < clients.length; client++) {
      Clients.State state = clients[client].state(here.parts[client]);
      boolean busy = state.submitted() > state.answered();
      if (!busy && state.submitted() < bounds.operations()[client]) {
        ways.add(happen(here, client, new Happening.Submits()));
      }
      if (busy && state.givenUp() < bounds.patience()[client]) {
        ways.add(happen(here, client, new Happening.GivesUp()));
      }
      for (int sent : state.sent()) {
        for (int server = 0; server < correct; server++) {
          ways.add(deliver(here, client, sent, server));
          ways.add(deliverAndAnswer(here, client, sent, server));
        }
      }
      for (int liar = 0; liar < bounds.liars() + bounds.forgetful(); liar++) {
        for (Message lie : lies(here, client, liar >= bounds.liars())) {
          if (state.counts(correct + liar, lie)) {
            ways.add(happen(here, client, new Happening.Hears(correct + liar, lie)));
          }
        }
      }
    }
    return ways;
  }

  private Way happen(Whole here, int client, Happening happening) {
    return new Way(
        () -> {
          int after = clients[client].after(here.parts[client], happening);
          return Optional.of(here.with(client, after)).filter(next -> after != here.parts[client]);
        },
        () -> "client " + client + ": " + happening);
  }

  private Servers.Answer answer(Whole here, int client, int sent, int server) {
    return servers.hear(
        here.parts[2 + server], client, clients[client].id, sent, messages.message(sent));
  }

  /** The server hears it, and the answer is lost. */
  private Way deliver(Whole here, int client, int sent, int server) {
    return new Way(
        () -> {
          int after = answer(here, client, sent, server).server();
          return Optional.of(here.with(2 + server, after))
              .filter(next -> after != here.parts[2 + server]);
        },
        () -> "client %d to server %d: %s".formatted(client, server, messages.message(sent)));
  }

  private Way deliverAndAnswer(Whole here, int client, int sent, int server) {
    return new Way(
        () -> {
          Servers.Answer answer = answer(here, client, sent, server);
          int after = here.parts[client];
          for (Message reply : answer.replies()) {
            if (clients[client].state(after).counts(server, reply)) {
              after = clients[client].after(after, new Happening.Hears(server, reply));
            }
          }
          return after == here.parts[client]
              ? Optional.empty()
              : Optional.of(here.with(2 + server, answer.server()).with(client, after));
        },
        () ->
            "client %d to server %d: %s, and back: %s"
                .formatted(
                    client,
                    server,
                    messages.message(sent),
                    answer(here, client, sent, server).replies()));
  }

  private List<Message> lies(Whole here, int client, boolean forgets) {
    Sent key =
        new Sent(
            clients[0].state(here.parts[0]).sentNumber(),
            clients[1].state(here.parts[1]).sentNumber(),
            client,
            forgets);
    return liesByClients.computeIfAbsent(
        key,
        any -> {
          List<Message> mine = sentBy(client, here);
          if (forgets) {
            return lies.ofOneWhoForgets(mine);
          }
          List<Message> all = new ArrayList<>(sentBy(0, here));
          all.addAll(sentBy(1, here));
          return lies.to(mine, all);
        });
  }

  private List<Message> sentBy(int client, Whole here) {
    return Arrays.stream(clients[client].state(here.parts[client]).sent())
        .mapToObj(messages::message)
        .toList();
  }

  /** Whether all that clients hold for chosen, and all that they told, lies on one line. */
  private boolean agree(Whole here) {
    return agreeing.computeIfAbsent(
        here.clientKey(),
        any -> {
          List<StateId> chosen = new ArrayList<>();
          List<Bytes> told = new ArrayList<>();
          for (int i = 0; i < clients.length; i++) {
            told.addAll(clients[i].state(here.parts[i]).results());
            for (Message message : sentBy(i, here)) {
              if (message instanceof Commit commit) {
                chosen.add(commit.commit().state());
              } else if (message instanceof Propose propose) {
                propose.commit().ifPresent(commit -> chosen.add(commit.state()));
              }
            }
          }
          return allPairs(chosen, messages::areInLine) && allPairs(told, SmallScope::areInLine);
        });
  }

  private static boolean areInLine(Bytes one, Bytes other) {
    int both = Math.min(one.size(), other.size());
    return one.slice(0, both).equals(other.slice(0, both));
  }

  private static <T> boolean allPairs(List<T> all, BiPredicate<T, T> agree) {
    return IntStream.range(1, all.size())
        .allMatch(i -> IntStream.range(0, i).allMatch(j -> agree.test(all.get(i), all.get(j))));
  }

  /** A run that leads there, with the names that servers have in it. */
  private List<String> story(int last) {
    Deque<Integer> indexes = new ArrayDeque<>();
    for (int index = last; visited.parent(index) >= 0; index = visited.parent(index)) {
      indexes.addFirst(index);
    }
    List<String> told = new ArrayList<>();
    Whole at = new Whole(new int[2 + correct]);
    for (int index : indexes) {
      Way taken = ways(at).stream().filter(way -> leadsTo(index, way)).findFirst().orElseThrow();
      at = taken.next().get().orElseThrow();
      told.add(taken.told().get());
    }
    return told;
  }

  private boolean leadsTo(int index, Way way) {
    Optional<Whole> after = way.next().get().map(this::canonical);
    return after.isPresent()
        && after.get().clientKey() == visited.first(index)
        && after.get().serverKey() == visited.second(index);
  }
}
