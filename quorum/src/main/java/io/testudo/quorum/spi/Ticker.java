package io.testudo.quorum.spi;

/** The clocks of one process. */
public interface Ticker {
  /** Nanoseconds on a clock that never goes back; only differences mean anything. */
  long nanos();

  /** Milliseconds since 1970 on a clock that may jump. */
  long wallMillis();
}
