package io.testudo.quorum.sim;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What makes a whole run unlike others. A run has several of these, one or none, drawn from its
 * seed; a run without any is the same whether there are hazards to draw from or not.
 */
public enum Hazard {
  READMISSION("a server loses its disk and is readmitted; only then does another begin to lie"),
  LONG_SLEEP("a client or server stands still for minutes, with messages under way"),
  FAR_CLOCK("the wall clocks of some clients are off by hours"),
  ROGUE("clients with rights to other names only say whatever can be said"),
  STARVATION("all want one lock all the time, and a liar keeps a chosen client from it"),
  HOARDING("a liar floods clients with variants of what it has to say; what they keep is measured"),
  NO_FAULTS("nothing goes wrong but for the liars; what needs no patience must not take any"),
  DELETES("clients delete the object now and then, and make it anew; others watch for it"),
  GLANCES("clients look at what was published while they order; it may show what others chose");

  private final String meaning;

  Hazard(String meaning) {
    this.meaning = meaning;
  }

  public String meaning() {
    return meaning;
  }

  /** What {@code --hazards} takes. */
  public String flag() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static Optional<Hazard> ofFlag(String flag) {
    return Arrays.stream(values()).filter(hazard -> hazard.flag().equals(flag)).findFirst();
  }
}
