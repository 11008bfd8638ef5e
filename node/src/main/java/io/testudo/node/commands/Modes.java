package io.testudo.node.commands;

import io.testudo.ordering.log.Mode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Modes of objects as people write them. */
public final class Modes implements ITypeConverter<Mode> {
  /** For picocli. */
  public Modes() {}

  @Override
  public Mode convert(String text) {
    for (Mode mode : Mode.values()) {
      if (mode.need().modeName().equals(text)) {
        return mode;
      }
    }
    throw new TypeConversionException(
        "'%s' is no mode; choose sealed-statements, sealed-ranks or plain".formatted(text));
  }
}
