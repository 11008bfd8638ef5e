package io.testudo.bench.measure;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A system under test with its servers running. It lives through all numbers of clients that are
 * measured, so that its servers are warm; each number gets a {@link Session} of its own.
 */
public interface Contestant extends AutoCloseable {
  /** The name in the rows: {@code testudo}, {@code floor} or a peer's name. */
  String system();

  /** The backend in the rows, if the system has several. */
  default @Nullable String backend() {
    return null;
  }

  /** The mode in the rows, if the system has several. */
  @Nullable String mode();

  /** Connects so many clients; none of them has an operation under way yet. */
  Session open(int clients) throws IOException, InterruptedException;

  /** Ends the servers. All sessions are closed by then. */
  @Override
  void close() throws IOException;
}
