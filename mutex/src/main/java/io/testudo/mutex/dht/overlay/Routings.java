package io.testudo.mutex.dht.overlay;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The routings there are. The mutexes run on each of them alike. */
public enum Routings {
  PREFIX,
  RING;

  /** What a member knows that knows nobody. */
  public Routing of(NodeId self) {
    return new Routing(self, this == PREFIX ? new PrefixRouting(self) : new RingRouting(self));
  }

  /** What commands call it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Routings> ofWord(String word) {
    return Arrays.stream(values()).filter(one -> one.word().equals(word)).findFirst();
  }
}
