package io.testudo.quorum.runtime;

import java.io.IOException;

/**
 * Ends a server that can no longer keep its word: its disk failed, its own code did, or memory ran
 * out in the middle of something. Nothing is tried again, since nobody knows what was done and what
 * was not; what is on the disk holds, and a new start finds it. (A failed sync least of all: the
 * kernel may have dropped the pages that it could not write, and a second sync would succeed
 * without them; Rebello et al. 2020.)
 */
@FunctionalInterface
public interface FatalHandler {
  /** The exit code for an input or output error, as sysexits.h has it. */
  int DISK_FAILED = 74;

  /** The exit code for an error in our own code, or of the virtual machine. */
  int BROKEN = 70;

  /** Called on the thread that failed, which must not go on; from several, several times. */
  void end(String line, Throwable cause);

  /** Prints the line and ends the process at once, without shutdown hooks. */
  static FatalHandler halt() {
    return (line, cause) -> {
      try {
        System.err.println(line);
      } finally {
        // Even if there is no memory left for a line.
        halt(cause);
      }
    };
  }

  /** Ends the process at once, with the code that fits the cause. */
  static void halt(Throwable cause) {
    Runtime.getRuntime().halt(cause instanceof IOException ? DISK_FAILED : BROKEN);
  }
}
