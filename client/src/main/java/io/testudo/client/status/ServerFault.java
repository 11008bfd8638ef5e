package io.testudo.client.status;

/** What is wrong with a server. */
public enum ServerFault {
  /** It does not answer. */
  SILENT,
  /** It grants no locks for a while after its start, and counts as silent for them. */
  QUIET,
  /** It denies what others heard of it: it went back to a copy of its disk, or lies. */
  FORGETFUL,
  /** It lost its memory of objects, and was not told which are new. */
  INCOMPLETE,
  /** It answers, but not for objects: its disk stores nothing, or it takes no part in them. */
  STUCK,
  /** Its settings are not those of this client. */
  OTHER_SETTINGS,
  /**
   * So many principals report what no correct server says that one of them is to be believed, or
   * the one that looks does.
   */
  CONTRADICTS;

  /** Whether a server that has it may have broken a promise, too, and not only be away. */
  public boolean mayLie() {
    return this == FORGETFUL || this == CONTRADICTS;
  }
}
