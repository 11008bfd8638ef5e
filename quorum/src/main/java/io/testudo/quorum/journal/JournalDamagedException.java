package io.testudo.quorum.journal;

/**
 * Bytes that were once promised to be durable can't be read any more. Nothing was changed on the
 * disk.
 */
public final class JournalDamagedException extends JournalException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final long offsetBytes;

  JournalDamagedException(String file, long offsetBytes, String what) {
    super(
        "The journal %s is damaged at byte %s: %s; replace the disk and re-admit the server, since what it promised is lost."
            .formatted(file, offsetBytes, what));
    this.file = file;
    this.offsetBytes = offsetBytes;
  }

  /** The damaged file. */
  public String file() {
    return file;
  }

  /** Where in the file the first thing lies that can't be read. */
  public long offsetBytes() {
    return offsetBytes;
  }
}
