package io.testudo.ordering.message;

import io.testudo.crypto.Seal;
import io.testudo.ordering.log.Rank;
import io.testudo.quorum.protocol.Message;
import java.util.Optional;

/**
 * Server to client: a higher rank was here.
 *
 * @param asked the rank that is refused
 * @param rank the higher one
 * @param seal on it
 */
public record Superseded(String object, Rank asked, Rank rank, Optional<Seal> seal)
    implements Message {}
