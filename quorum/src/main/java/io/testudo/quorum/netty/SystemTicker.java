package io.testudo.quorum.netty;

import io.testudo.quorum.spi.Ticker;

/** The clocks of this process. */
enum SystemTicker implements Ticker {
  INSTANCE;

  @Override
  public long nanos() {
    return System.nanoTime();
  }

  @Override
  public long wallMillis() {
    return System.currentTimeMillis();
  }
}
