package io.testudo.bench.driver;

/** What happens to one server of a system while others work on, and is mended after a while. */
public enum ServerHarm {
  /** Its process is killed, and started again with what it has on disk. */
  KILL,
  /** Its process is stopped, and goes on where it was: connections stay open, nobody answers. */
  STOP,
  /** Its process stands still most of the time, for some tens of milliseconds each. */
  LAG,
  /** It lies, and is honest again; only a system that is built for liars has such a server. */
  LIE
}
