package io.testudo.ordering.log;

import io.testudo.crypto.Seal;
import io.testudo.quorum.protocol.StateRecord;
import java.util.Optional;

/** On disk: no lower rank is served. */
public record RankKept(String object, Rank rank, Optional<Seal> seal) implements StateRecord {}
