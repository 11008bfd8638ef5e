package io.testudo.client.inquiry;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.protocol.Message;

/**
 * Client to server: this I have seen of the servers. It is not answered. Only a principal that may
 * do something has seen anything.
 */
public record ReportSuspects(ImmutableList<Suspect> suspects) implements Message, Guarded {
  /** The most in one message. */
  public static final int MAX_SUSPECTS = 128;

  public ReportSuspects {
    checkArgument(
        !suspects.isEmpty() && suspects.size() <= MAX_SUSPECTS,
        "a message reports 1 to %s suspicions",
        MAX_SUSPECTS);
  }

  /** Told to who has none. */
  @Override
  public Right right() {
    return Right.READ;
  }

  @Override
  public String name() {
    return "";
  }

  @Override
  public boolean isAllowed(Rights rights, String principal) {
    return rights.allowsAnything(principal);
  }
}
