package io.testudo.node;

import com.google.common.collect.ImmutableList;
import io.testudo.node.log.Printable;
import java.util.ArrayList;
import java.util.List;

/**
 * Lines for people of which parts have a colour, where there are colours. Nothing is told by a
 * colour alone.
 */
public final class ColourText {
  private static final String END = "\033[0m";

  private final ImmutableList<Part> parts;

  /** What a part looks like, by its code in ECMA-48. */
  public enum Colour {
    PLAIN(""),
    STRONG("1"),
    FAINT("2"),
    GOOD("32"),
    WARNING("33"),
    BAD("1;31");

    private final String code;

    Colour(String code) {
      this.code = code;
    }
  }

  private record Part(Colour colour, String text) {
    String shown(boolean colours) {
      String printable = Printable.lines(text);
      return colours && colour != Colour.PLAIN
          ? "\033[" + colour.code + "m" + printable + END
          : printable;
    }
  }

  private ColourText(List<Part> parts) {
    this.parts = ImmutableList.copyOf(parts);
  }

  public static ColourText of(String text) {
    return of(Colour.PLAIN, text);
  }

  public static ColourText of(Colour colour, String text) {
    return new ColourText(List.of(new Part(colour, text)));
  }

  /** This, and more of it. */
  public ColourText and(String text) {
    return and(Colour.PLAIN, text);
  }

  /** This, and more of it. */
  public ColourText and(Colour colour, String text) {
    return new ColourText(
        ImmutableList.<Part>builder().addAll(parts).add(new Part(colour, text)).build());
  }

  /** As much of this line as fits. */
  public ColourText cutTo(int columns) {
    List<Part> kept = new ArrayList<>();
    int room = columns;
    for (Part part : parts) {
      String text = part.text().substring(0, Math.min(room, part.text().length()));
      kept.add(new Part(part.colour(), text));
      room -= text.length();
    }
    return new ColourText(kept);
  }

  /** As it is printed; what would steer the terminal is escaped. */
  public String shown(boolean colours) {
    StringBuilder text = new StringBuilder();
    parts.forEach(part -> text.append(part.shown(colours)));
    return text.toString();
  }

  @Override
  public String toString() {
    return shown(false);
  }
}
