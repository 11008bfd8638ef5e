package io.testudo.bench.contention;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.backoff.BackoffLaw;
import io.testudo.mutex.backoff.BackoffTuning;

/** The ways to run the protocol that are compared: one change at a time, from either end. */
final class Variants {
  private static final double TENTH = 0.1;
  private static final int DEGREE = 2;

  private static final Variant PLAIN =
      Variant.of("plain", BackoffTuning.plain(), ReleasePolicy.FAILED_ATTEMPTS);
  private static final Variant STANDARD =
      Variant.of("standard", BackoffTuning.standard(), ReleasePolicy.ALWAYS);

  static final ImmutableList<Variant> ALL =
      ImmutableList.<Variant>builder().addAll(fromPlain()).addAll(fromStandard()).build();

  private Variants() {}

  /** The paper's protocol, and what each of its improvements adds to it. */
  private static ImmutableList<Variant> fromPlain() {
    BackoffTuning tuning = BackoffTuning.plain();
    ReleasePolicy failed = ReleasePolicy.FAILED_ATTEMPTS;
    return ImmutableList.of(
        PLAIN,
        Variant.of("nothing-given-back", tuning, ReleasePolicy.NEVER),
        Variant.of("polynomial", tuning.withLaw(BackoffLaw.polynomial(DEGREE)), failed)
            .named("polynomial", "polynomial"),
        Variant.of("constant", tuning.withLaw(BackoffLaw.constant()), failed)
            .named("constant", "constant"),
        Variant.of("observed-unit", tuning.withPaperUnit(false), failed),
        PLAIN.named("returning-backs-off", PLAIN.law()).withOneWhoReturns(false),
        PLAIN.named("returning-persists", PLAIN.law()).withOneWhoReturns(true),
        Variant.of("waiting-list", tuning.withWaitingList(true), failed),
        Variant.of("keeps-late", tuning, failed).keepingLate(),
        Variant.of("longest-hold", tuning.withHoldPerCall(false), failed),
        Variant.of("early-release", tuning, ReleasePolicy.ALWAYS),
        PLAIN.named("tenth-used", PLAIN.law()).using(TENTH),
        Variant.of("tenth-used-early-release", tuning, ReleasePolicy.ALWAYS).using(TENTH));
  }

  /** What applications get, and what they would lose without each part. */
  private static ImmutableList<Variant> fromStandard() {
    BackoffTuning tuning = BackoffTuning.standard();
    ReleasePolicy always = ReleasePolicy.ALWAYS;
    return ImmutableList.of(
        STANDARD,
        STANDARD.named("standard-returning-backs-off", STANDARD.law()).withOneWhoReturns(false),
        STANDARD.named("standard-returning-persists", STANDARD.law()).withOneWhoReturns(true),
        Variant.of("standard-without-waiting-list", tuning.withWaitingList(false), always),
        Variant.of("standard-keeps-late", tuning, always).keepingLate(),
        Variant.of("standard-longest-hold", tuning.withHoldPerCall(false), always),
        Variant.of("standard-paper-unit", tuning.withPaperUnit(true), always),
        Variant.of("standard-without-early-release", tuning, ReleasePolicy.FAILED_ATTEMPTS),
        STANDARD.named("standard-tenth-used", STANDARD.law()).using(TENTH),
        Variant.of(
                "standard-tenth-used-without-early-release", tuning, ReleasePolicy.FAILED_ATTEMPTS)
            .using(TENTH));
  }

  /** Those whose curve is shown with populations of idle clients. */
  static ImmutableList<Variant> ofPopulations() {
    return ImmutableList.of(PLAIN, STANDARD);
  }
}
