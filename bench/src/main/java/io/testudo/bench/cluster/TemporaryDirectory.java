package io.testudo.bench.cluster;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A directory that goes with its object, and all that is in it. */
public final class TemporaryDirectory implements AutoCloseable {
  private static final String PREFIX = "testudo-bench";

  private final Path path;

  private TemporaryDirectory(Path path) {
    this.path = path;
  }

  public static TemporaryDirectory create() throws IOException {
    return createIn(null);
  }

  /**
   * Makes one below another directory.
   *
   * @param parent null for where the system keeps such
   */
  public static TemporaryDirectory createIn(@Nullable Path parent) throws IOException {
    return new TemporaryDirectory(
        parent == null
            ? Files.createTempDirectory(PREFIX)
            : Files.createTempDirectory(parent, PREFIX));
  }

  public Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    MoreFiles.deleteRecursively(path, RecursiveDeleteOption.ALLOW_INSECURE);
  }
}
