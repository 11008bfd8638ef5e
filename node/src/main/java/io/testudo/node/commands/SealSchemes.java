package io.testudo.node.commands;

import io.testudo.crypto.SealScheme;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** With what clients seal, by the names that people use. */
public final class SealSchemes implements ITypeConverter<SealScheme> {
  /** For picocli. */
  public SealSchemes() {}

  @Override
  public SealScheme convert(String text) {
    return SealScheme.named(text)
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "'%s' is no kind of seals; choose hmac or ed25519".formatted(text)));
  }
}
