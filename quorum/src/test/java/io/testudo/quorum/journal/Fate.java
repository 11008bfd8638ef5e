package io.testudo.quorum.journal;

/** What a loss of power does to bytes that were written and not synced. */
interface Fate {
  /**
   * Whether a byte is on the disk.
   *
   * @param streamed how many unsynced bytes were written to the file before it
   * @param sector where it lies
   */
  boolean keeps(int streamed, int sector);

  /** Whether the file has its new length though bytes of it may be missing; they are zero then. */
  default boolean keepsLength() {
    return false;
  }

  static Fate kept() {
    return (streamed, sector) -> true;
  }

  static Fate lost() {
    return (streamed, sector) -> false;
  }

  /** Only the first bytes came through. */
  static Fate tornAfter(int bytes) {
    return (streamed, sector) -> streamed < bytes;
  }

  /** Some sectors came through, in any order. */
  static Fate scattered(long seed) {
    return (streamed, sector) -> coin(seed, sector);
  }

  /** The length came through, and of the bytes only some sectors. */
  static Fate scatteredInZeros(long seed) {
    return new Fate() {
      @Override
      public boolean keeps(int streamed, int sector) {
        return coin(seed, sector);
      }

      @Override
      public boolean keepsLength() {
        return true;
      }
    };
  }

  private static boolean coin(long seed, int sector) {
    long mixed = (seed + 1) * 0x9E3779B97F4A7C15L + sector * 0xBF58476D1CE4E5B9L;
    return (mixed ^ (mixed >>> 29)) * 0x94D049BB133111EBL < 0;
  }
}
