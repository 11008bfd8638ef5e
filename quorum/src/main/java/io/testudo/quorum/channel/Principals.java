package io.testudo.quorum.channel;

import io.testudo.quorum.channel.ChannelException.Reason;
import java.util.function.Predicate;

/** Asks the cluster about a principal, in the same words in every mode. */
final class Principals {
  private Principals() {}

  static void requireKnown(String principal, Predicate<String> knows) throws ChannelException {
    if (!knows.test(principal)) {
      throw new ChannelException(
          Reason.UNKNOWN_PRINCIPAL,
          "The cluster file knows no principal %s; add it there or use another key file."
              .formatted(principal));
    }
  }
}
