package io.testudo.bench.cluster;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;
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

  /** How long all files in it are together. */
  public long sizeBytes() throws IOException {
    long sum = 0;
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        try {
          sum += Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (NoSuchFileException e) {
          // A journal has just replaced it by another.
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return sum;
  }

  @Override
  public void close() throws IOException {
    MoreFiles.deleteRecursively(path, RecursiveDeleteOption.ALLOW_INSECURE);
  }
}
