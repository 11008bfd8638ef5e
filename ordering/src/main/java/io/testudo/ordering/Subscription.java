package io.testudo.ordering;

/** A listener that is called until this is closed. */
public interface Subscription extends AutoCloseable {
  /** Ends the calls, except one that is under way. Has no effect the second time. */
  @Override
  void close();
}
