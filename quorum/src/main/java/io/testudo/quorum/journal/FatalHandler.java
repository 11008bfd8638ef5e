package io.testudo.quorum.journal;

/**
 * Ends the process of a journal that could not keep its word. A failed sync is never tried again:
 * the kernel may have dropped the pages that it could not write, and a second sync would succeed
 * without them (Rebello et al. 2020).
 */
@FunctionalInterface
public interface FatalHandler {
  /** The exit code for an input or output error, as sysexits.h has it. */
  int EXIT_CODE = 74;

  /** Called once, on the journal's own thread; the journal runs no callback any more. */
  void journalFailed(String line, Throwable cause);

  /** Prints the line and ends the process at once, without shutdown hooks. */
  static FatalHandler halt() {
    return (line, cause) -> {
      System.err.println(line);
      Runtime.getRuntime().halt(EXIT_CODE);
    };
  }
}
