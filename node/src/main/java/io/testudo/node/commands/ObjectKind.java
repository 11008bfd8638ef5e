package io.testudo.node.commands;

import io.testudo.ordering.ObjectType;
import io.testudo.ordering.objects.CounterObject;
import io.testudo.ordering.objects.LogObject;
import io.testudo.ordering.objects.MapObject;
import io.testudo.ordering.objects.QueueObject;
import io.testudo.ordering.objects.RegisterObject;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The ready objects, as people name them. */
enum ObjectKind {
  COUNTER,
  REGISTER,
  MAP,
  QUEUE,
  LOG;

  ObjectType<?> type() {
    return switch (this) {
      case COUNTER -> CounterObject.TYPE;
      case REGISTER -> RegisterObject.TYPE;
      case MAP -> MapObject.TYPE;
      case QUEUE -> QueueObject.TYPE;
      case LOG -> LogObject.TYPE;
    };
  }

  /** The kind of which a type with this number is. */
  static Optional<ObjectKind> ofNumber(int number) {
    return Arrays.stream(values()).filter(kind -> kind.type().number() == number).findFirst();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
