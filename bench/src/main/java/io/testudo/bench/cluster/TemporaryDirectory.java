package io.testudo.bench.cluster;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A directory that goes with its object, and all that is in it. */
public final class TemporaryDirectory implements AutoCloseable {
  private static final String PREFIX = "testudo-bench";

  /** While processes that are ending, too, write into a directory it cannot be removed. */
  private static final int TRIES = 500;

  private static final long PAUSE_MILLIS = 20;

  private static final Set<Path> LIVE = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> LIVE.forEach(TemporaryDirectory::removeAtLast), "end-directories"));
  }

  private final Path path;

  private TemporaryDirectory(Path path) {
    this.path = path;
    LIVE.add(path);
  }

  /** On the way out, also after an interrupt by the terminal. */
  private static void removeAtLast(Path path) {
    for (int i = 0; i < TRIES; i++) {
      try {
        MoreFiles.deleteRecursively(path, RecursiveDeleteOption.ALLOW_INSECURE);
        return;
      } catch (IOException e) {
        if (!Files.exists(path)) {
          return;
        }
      }
      try {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
    }
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

  /** Reads all files in it once, and gives how long it took. */
  Duration readAll() throws IOException {
    byte[] buffer = new byte[1 << 16];
    long beginNanos = System.nanoTime();
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        try (InputStream in = Files.newInputStream(file)) {
          int read = 0;
          while (read >= 0) {
            read = in.read(buffer);
          }
        }
      }
    }
    return Duration.ofNanos(System.nanoTime() - beginNanos);
  }

  @Override
  public void close() throws IOException {
    MoreFiles.deleteRecursively(path, RecursiveDeleteOption.ALLOW_INSECURE);
    LIVE.remove(path);
  }
}
