package io.testudo.bench.measure;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.measure.Result.MeasuredRound;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Measures the contestants of one case together: first they warm up, then they take turns, round by
 * round (A B A B). What changes on the machine in the course of a run, such as its temperature or
 * its other users, then meets all of them alike.
 *
 * <p>How long it takes until the code of a contestant is compiled depends on the machine and on how
 * much code that is. So they warm up until none of them gets faster.
 */
public final class Measurement {
  /** Who is still getting faster after so many times is measured as it is. */
  private static final int MOST_WARM_UPS = 10;

  /** What most cases need, to guess how much of one is over. */
  private static final int USUAL_WARM_UPS = 3;

  private static final double SHARE_OF_WARM_UP = 0.4;

  /** Less than this is chance. */
  private static final double FASTER = 1.1;

  private final Plan plan;
  private final OtherLoad otherLoad;
  private final MeasuringProgress progress;

  /**
   * Measures nothing yet.
   *
   * @param progress is told what begins, for people who wait
   */
  public Measurement(Plan plan, OtherLoad otherLoad, Consumer<String> progress) {
    this(plan, otherLoad, MeasuringProgress.telling(progress));
  }

  /** The same, with a guess how much of a case is over. */
  public Measurement(Plan plan, OtherLoad otherLoad, MeasuringProgress progress) {
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
    boolean gotFaster = plan.warmUpNanos() > 0;
    for (int times = 0; gotFaster && times < MOST_WARM_UPS; times++) {
      gotFaster = false;
      for (Entry entry : entries) {
        tell(entry.name() + " warms up", shareOfWarmUp(times));
        gotFaster |= entry.isFaster(run(entry, plan.warmUpNanos()).opsPerSecond());
      }
    }
    for (int round = 1; round <= plan.rounds(); round++) {
      for (Entry entry : entries) {
        tell(
            "%s, round %d of %d".formatted(entry.name(), round, plan.rounds()),
            shareOfRounds(round - 1));
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

  private void tell(String what, double share) {
    progress.within(share);
    progress.accept(what);
  }

  private static double shareOfWarmUp(int times) {
    return SHARE_OF_WARM_UP * Math.min(1, (double) times / USUAL_WARM_UPS);
  }

  private double shareOfRounds(int ended) {
    double before = plan.warmUpNanos() > 0 ? SHARE_OF_WARM_UP : 0;
    return before + (1 - before) * ended / plan.rounds();
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
    private double bestPerSecond;

    Entry(Heat heat, Session session) {
      this.heat = heat;
      this.session = session;
    }

    /** Whether this is faster than it ever was. */
    boolean isFaster(double opsPerSecond) {
      boolean isFaster = opsPerSecond > FASTER * bestPerSecond;
      bestPerSecond = Math.max(bestPerSecond, opsPerSecond);
      return isFaster;
    }

    String name() {
      Contestant contestant = heat.contestant();
      return contestant.system().equals(contestant.mode()) || contestant.mode() == null
          ? contestant.system()
          : contestant.system() + " " + contestant.mode();
    }
  }
}
