package io.testudo.node.inquiry;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.protocol.Message;

/** Client to server: this I have seen of the servers. It is not answered. */
public record ReportSuspects(ImmutableList<Suspect> suspects) implements Message {
  /** The most in one message. */
  public static final int MAX_SUSPECTS = 128;

  public ReportSuspects {
    checkArgument(
        !suspects.isEmpty() && suspects.size() <= MAX_SUSPECTS,
        "a message reports 1 to %s suspicions",
        MAX_SUSPECTS);
  }
}
