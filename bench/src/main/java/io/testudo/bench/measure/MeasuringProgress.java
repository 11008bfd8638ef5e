package io.testudo.bench.measure;

import java.util.function.Consumer;

/** Is told what begins, for people who wait, and about how much of a case is over. */
public interface MeasuringProgress extends Consumer<String> {
  /** From 0 to 1. */
  void within(double share);

  /** One that only hears what begins. */
  static MeasuringProgress telling(Consumer<String> listener) {
    return new MeasuringProgress() {
      @Override
      public void accept(String what) {
        listener.accept(what);
      }

      @Override
      public void within(double share) {}
    };
  }
}
