package io.testudo.node.commands;

import java.util.Arrays;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Types of objects as people write them. */
final class ObjectKinds implements ITypeConverter<ObjectKind> {
  @Override
  public ObjectKind convert(String text) {
    return Arrays.stream(ObjectKind.values())
        .filter(kind -> kind.toString().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "'%s' is no type of object; choose counter, register, map, queue or log"
                        .formatted(text)));
  }
}
