package io.testudo.quorum;

import com.google.common.collect.ImmutableMap;
import java.util.Map;

/** The time for an operation was over before enough servers had answered. */
public final class NoQuorumException extends TestudoException {
  private static final long serialVersionUID = 1L;

  private final long answered;
  private final int servers;
  private final int needed;

  /**
   * @param answered the servers whose answers count
   * @param servers how many servers the cluster has
   * @param needed how many answers were needed
   */
  public NoQuorumException(ServerSet answered, int servers, int needed, Outcome outcome) {
    this(answered, servers, needed, outcome, ImmutableMap.of());
  }

  private NoQuorumException(
      ServerSet answered, int servers, int needed, Outcome outcome, Map<ServerId, String> reasons) {
    super(
        "%d of %d servers answered, %d %s needed"
            .formatted(answered.size(), servers, needed, needed == 1 ? "is" : "are"),
        outcome,
        reasons);
    this.answered = answered.bits();
    this.servers = servers;
    this.needed = needed;
  }

  /**
   * The same with what is known of each server that did not answer.
   *
   * @param states of any servers, in words that follow the name of the server
   */
  public NoQuorumException because(Map<ServerId, String> states) {
    ImmutableMap.Builder<ServerId, String> silent = ImmutableMap.builder();
    states.forEach(
        (server, state) -> {
          if (!answered().contains(server)) {
            silent.put(server, state);
          }
        });
    return new NoQuorumException(answered(), servers, needed, outcome(), silent.buildOrThrow());
  }

  /** The servers that did answer; the others are down, cut off, slow, or silent on purpose. */
  public ServerSet answered() {
    return new ServerSet(answered);
  }
}
