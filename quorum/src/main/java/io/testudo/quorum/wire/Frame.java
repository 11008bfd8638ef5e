package io.testudo.quorum.wire;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * A decoded frame.
 *
 * @param envelopes the messages that this build knows, in order
 * @param skipped how many messages of unknown types were passed over
 */
public record Frame(ImmutableList<Envelope> envelopes, int skipped) {
  public static Frame of(List<Envelope> envelopes) {
    return new Frame(ImmutableList.copyOf(envelopes), 0);
  }
}
