package io.testudo.node.server;

import io.testudo.node.CommandException;
import io.testudo.quorum.spi.Journal;
import io.testudo.quorum.wire.StateCodec;
import io.testudo.quorum.wire.WireException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Notices that one of a server's journals was put back to an older copy of it. Each journal has a
 * count, and all are raised in rounds: the next round begins when the disk has the last one in each
 * journal. So, wherever a crash has cut a round off, counts differ by one at most. There are two
 * rounds at each start, two at each end, and one in a while between, as long as anything is
 * written: a copy that is older has fallen behind by two.
 */
final class JournalRounds {
  /** How often there is a round while journals are written. */
  private static final long PERIOD_NANOS = 10_000_000_000L;

  /** The end of a server does not wait for longer. */
  private static final long END_WITHIN_MILLIS = 1_000;

  /** The farthest that a crash leaves a journal behind. */
  private static final long MOST_BEHIND = 1;

  private static final StateCodec CODEC = new StateCodec(JournalRound.TYPES);

  private final List<Member> members = new CopyOnWriteArrayList<>();
  private final AtomicBoolean underWay = new AtomicBoolean(true);
  private volatile long round;
  private volatile long lastNanos = System.nanoTime();

  /** What a journal begins with that an operator has made anew. */
  static byte[] joining() {
    return CODEC.encode(JournalRound.JOINING);
  }

  /**
   * The same journal, with its count. Whoever uses it recovers it before {@link #begin}.
   *
   * @param loop on which all its calls come
   */
  Journal on(String name, Journal journal, Executor loop) {
    Member member = new Member(name, journal, loop);
    members.add(member);
    return member;
  }

  /**
   * Compares the journals, then has two rounds; before the server says anything.
   *
   * @throws CommandException if some are older than others
   */
  void begin(Path data) {
    long highest = members.stream().mapToLong(member -> member.last.round()).max().orElse(0);
    List<Member> old =
        members.stream()
            .filter(member -> !member.last.joins())
            .filter(member -> member.last.round() < highest - MOST_BEHIND)
            .toList();
    if (!old.isEmpty()) {
      throw new CommandException(
          "In %s %s older than the other journals (%s): it was put back to a copy, and has forgotten"
                  .formatted(
                      data,
                      old.stream().map(member -> member.name).collect(Collectors.joining(", "))
                          + (old.size() == 1 ? " is" : " are"),
                      members.stream()
                          .map(member -> member.name + " is at " + member.last.round())
                          .collect(Collectors.joining(", ")))
              + " what the server promised. Move %s away, start the server once with --readmit, then run 'testudo readmit'."
                  .formatted(
                      old.stream()
                          .map(member -> data.resolve(member.name).toString())
                          .collect(Collectors.joining(" and "))));
    }
    round = highest;
    raise().thenCompose(first -> raise()).join();
    underWay.set(false);
  }

  /** Two more rounds, so that no copy that was made before can take the place of a journal. */
  void end() {
    if (underWay.getAndSet(true)) {
      return; // It did not begin, or does not come to its end.
    }
    try {
      raise().thenCompose(first -> raise()).get(END_WITHIN_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException | RejectedExecutionException e) {
      // The next start finds out what the disks have.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private CompletableFuture<?> raise() {
    long next = round + 1;
    List<CompletableFuture<?>> durable = new ArrayList<>();
    for (Member member : members) {
      CompletableFuture<?> done = new CompletableFuture<>();
      durable.add(done);
      member.loop.execute(() -> member.take(next, () -> done.complete(null)));
    }
    return CompletableFuture.allOf(durable.toArray(CompletableFuture[]::new))
        .thenRun(
            () -> {
              round = next;
              lastNanos = System.nanoTime();
            });
  }

  private void raiseNowAndThen() {
    if (System.nanoTime() - lastNanos >= PERIOD_NANOS && underWay.compareAndSet(false, true)) {
      var unused = raise().thenRun(() -> underWay.set(false));
    }
  }

  /** One journal; all its fields are used on its loop. */
  private final class Member implements Journal {
    private final String name;
    private final Journal journal;
    private final Executor loop;

    /** Of a journal that has none: it is as old as its server. */
    private volatile JournalRound last = new JournalRound(0, false);

    Member(String name, Journal journal, Executor loop) {
      this.name = name;
      this.journal = journal;
      this.loop = loop;
    }

    void take(long next, Runnable whenDurable) {
      last = new JournalRound(next, false);
      journal.append(CODEC.encode(last));
      journal.whenDurable(whenDurable);
    }

    @Override
    public List<byte[]> recover() {
      return withoutRounds(journal.recover());
    }

    @Override
    public void recoverAgain(Consumer<List<byte[]>> then) {
      journal.recoverAgain(records -> then.accept(withoutRounds(records)));
    }

    private List<byte[]> withoutRounds(List<byte[]> records) {
      List<byte[]> others = new ArrayList<>(records.size());
      for (byte[] record : records) {
        if (record.length > 0 && record[0] == JournalRound.TYPE.number()) {
          last = decode(record);
        } else {
          others.add(record);
        }
      }
      return others;
    }

    private JournalRound decode(byte[] record) {
      try {
        return (JournalRound) CODEC.decode(record);
      } catch (WireException e) {
        throw new IllegalStateException(
            "a round of the journal %s cannot be read".formatted(name), e);
      }
    }

    @Override
    public void append(byte[] record) {
      journal.append(record);
      raiseNowAndThen();
    }

    @Override
    public void whenDurable(Runnable then) {
      journal.whenDurable(then);
    }

    @Override
    public void prove(Runnable then) {
      journal.prove(then);
    }

    @Override
    public void replaceAll(List<byte[]> snapshot) {
      List<byte[]> all = new ArrayList<>(snapshot.size() + 1);
      all.add(CODEC.encode(last));
      all.addAll(snapshot);
      journal.replaceAll(all);
    }

    @Override
    public long sizeBytes() {
      return journal.sizeBytes();
    }
  }
}
