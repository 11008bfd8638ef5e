package io.testudo.crypto;

/** Bytes that should be a seal are none. Checked, because seals come from peers that may lie. */
public final class MalformedSealException extends Exception {
  private static final long serialVersionUID = 1L;

  MalformedSealException(String message) {
    super(message);
  }
}
