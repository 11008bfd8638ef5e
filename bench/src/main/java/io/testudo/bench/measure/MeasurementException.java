package io.testudo.bench.measure;

import org.jspecify.annotations.Nullable;

/** A measurement that gives no figures. The message is one sentence without its end. */
public final class MeasurementException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public MeasurementException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
