package io.testudo.quorum.cluster;

import com.google.common.primitives.Bytes;
import com.google.common.primitives.Ints;
import java.util.Set;

/**
 * Which edition of the group keys is in use, for each purpose. Raised when somebody who has the
 * keys is no longer to be trusted with them: seals of other epochs prove nothing any more.
 */
public record KeyEpochs(int submit, int order, int lock) {
  /** Of a new cluster. */
  public static final KeyEpochs FIRST = new KeyEpochs(1, 1, 1);

  /** More are not counted. */
  public static final int MAX = 1_000_000;

  public KeyEpochs {
    for (int epoch : new int[] {submit, order, lock}) {
      if (epoch < 1 || epoch > MAX) {
        throw new IllegalArgumentException(
            "A key epoch is 1 to %s, not %s; correct it.".formatted(MAX, epoch));
      }
    }
  }

  /** The epoch of the keys for a purpose. */
  public int of(KeyPurpose purpose) {
    return switch (purpose) {
      case SUBMIT -> submit;
      case ORDER -> order;
      case LOCK -> lock;
    };
  }

  /** The next epoch for some purposes. */
  public KeyEpochs raised(Set<KeyPurpose> purposes) {
    return new KeyEpochs(
        submit + (purposes.contains(KeyPurpose.SUBMIT) ? 1 : 0),
        order + (purposes.contains(KeyPurpose.ORDER) ? 1 : 0),
        lock + (purposes.contains(KeyPurpose.LOCK) ? 1 : 0));
  }

  /** Whether no purpose is at an earlier epoch than there. */
  public boolean isAtLeast(KeyEpochs others) {
    return submit >= others.submit && order >= others.order && lock >= others.lock;
  }

  byte[] toByteArray() {
    return Bytes.concat(Ints.toByteArray(submit), Ints.toByteArray(order), Ints.toByteArray(lock));
  }

  /** Reads what {@link #toString} writes. */
  static KeyEpochs parse(String text) {
    String[] words = text.split(" ", -1);
    try {
      if (words.length == 6) {
        KeyEpochs epochs =
            new KeyEpochs(
                Integer.parseInt(words[1]), Integer.parseInt(words[3]), Integer.parseInt(words[5]));
        if (epochs.toString().equals(text)) {
          return epochs;
        }
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new IllegalArgumentException(
        "Key epochs are written as '%s'; correct them.".formatted(FIRST));
  }

  @Override
  public String toString() {
    return "submit " + submit + " order " + order + " lock " + lock;
  }
}
