package io.testudo.ordering.client;

import io.testudo.ordering.ObjectLimits;
import io.testudo.quorum.Access;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.protocol.Call;
import java.util.Optional;

/**
 * Asks for a state.
 *
 * @param isFresh whether it contains every operation whose result was known before the call
 * @param access whom to ask first; as is usual if left open
 */
public record ReadObject(
    String object,
    ObjectModel<?> model,
    long timeoutNanos,
    boolean isFresh,
    Optional<Access> access)
    implements Call<ReadResult> {
  public ReadObject {
    ObjectLimits.checkName(object);
  }

  /** Asks for a state that contains every operation whose result was known before the call. */
  public ReadObject(String object, ObjectModel<?> model, long timeoutNanos) {
    this(object, model, timeoutNanos, true, Optional.empty());
  }

  /**
   * Asks for a state that was chosen, without ordering and without disturbing those who do. It may
   * lack operations whose results are known already, but a client never sees an older state than
   * one that it saw before.
   */
  public static ReadObject published(String object, ObjectModel<?> model, long timeoutNanos) {
    return new ReadObject(object, model, timeoutNanos, false, Optional.empty());
  }

  /** The same, asking others first. */
  public ReadObject with(Optional<Access> first) {
    return new ReadObject(object, model, timeoutNanos, isFresh, first);
  }

  /** {@inheritDoc} A read changes nothing. */
  @Override
  public Outcome whenCutOff() {
    return Outcome.DID_NOT_HAPPEN;
  }

  @Override
  public String toString() {
    return "ReadObject[" + object + (isFresh ? "]" : ", published]");
  }
}
