package io.testudo.bench.measure;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.measure.Result.MeasuredRound;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Measures the contestants of one case together: first each of them warms up, then they take turns,
 * round by round (A B A B). What changes on the machine in the course of a run, such as its
 * temperature or its other users, then meets all of them alike.
 */
public final class Measurement {
  private final Plan plan;
  private final OtherLoad otherLoad;
  private final Consumer<String> progress;

  /**
   * Measures nothing yet.
   *
   * @param progress is told what begins, for people who wait
   */
  public Measurement(Plan plan, OtherLoad otherLoad, Consumer<String> progress) {
    this.plan = plan;
    this.otherLoad = otherLoad;
    this.progress = progress;
  }

  /** A contestant with the clients and the load that it is measured with. */
  public record Heat(Contestant contestant, int clients, Load load) {}

  /**
   * Opens a session of each contestant, measures them in turn, and closes the sessions.
   *
   * @param load is given to each contestant alike
   * @return one result for each contestant, in their order
   * @throws MeasurementException if one of them fails
   */
  public ImmutableList<Result> run(List<? extends Contestant> contestants, int clients, Load load)
      throws IOException, InterruptedException {
    return run(contestants.stream().map(it -> new Heat(it, clients, load)).toList());
  }

  /** The same, with as many clients as each heat says. */
  public ImmutableList<Result> run(List<Heat> heats) throws IOException, InterruptedException {
    List<Entry> entries = new ArrayList<>();
    try {
      for (Heat heat : heats) {
        entries.add(new Entry(heat, heat.contestant().open(heat.clients())));
      }
      return runRounds(entries);
    } finally {
      closeAll(entries);
    }
  }

  private ImmutableList<Result> runRounds(List<Entry> entries) throws InterruptedException {
    if (plan.warmUpNanos() > 0) {
      for (Entry entry : entries) {
        progress.accept(entry.name() + " warms up");
        run(entry, plan.warmUpNanos());
      }
    }
    for (int round = 1; round <= plan.rounds(); round++) {
      for (Entry entry : entries) {
        progress.accept("%s, round %d of %d".formatted(entry.name(), round, plan.rounds()));
        OtherLoad.Sample before = otherLoad.sample();
        Round figures = run(entry, plan.roundNanos());
        entry.rounds.add(
            new MeasuredRound(figures, OtherLoad.shareBetween(before, otherLoad.sample())));
      }
    }
    return entries.stream()
        .map(entry -> Result.of(entry.heat.contestant(), entry.rounds.build()))
        .collect(ImmutableList.toImmutableList());
  }

  private static Round run(Entry entry, long durationNanos) throws InterruptedException {
    try {
      return entry.heat.load().run(entry.session, durationNanos);
    } catch (MeasurementException e) {
      throw new MeasurementException(entry.name() + ": " + e.getMessage(), e);
    }
  }

  /** All of them, whatever the first ones say. */
  private static void closeAll(List<Entry> entries) throws IOException {
    IOException first = null;
    for (Entry entry : entries) {
      try {
        entry.session.close();
      } catch (IOException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }

  private static final class Entry {
    private final Heat heat;
    private final Session session;
    private final ImmutableList.Builder<MeasuredRound> rounds = ImmutableList.builder();

    Entry(Heat heat, Session session) {
      this.heat = heat;
      this.session = session;
    }

    String name() {
      Contestant contestant = heat.contestant();
      return contestant.system().equals(contestant.mode()) || contestant.mode() == null
          ? contestant.system()
          : contestant.system() + " " + contestant.mode();
    }
  }
}
