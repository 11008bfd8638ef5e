package io.testudo.mutex.examples;

import io.testudo.mutex.StaleFenceException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A file that refuses holders of a lock who come too late. Its first line is the largest token that
 * wrote it; token and text are replaced together.
 */
final class FencedFile {
  private final Path file;
  private final Path guard;
  private final Path next;

  FencedFile(Path file) {
    this.file = file;
    this.guard = file.resolveSibling(file.getFileName() + ".guard");
    this.next = file.resolveSibling(file.getFileName() + ".next");
  }

  /** The guard keeps others out between check and change, in this process and in others. */
  void write(long token, String text) throws IOException {
    synchronized (FencedFile.class) {
      try (FileChannel channel =
          FileChannel.open(guard, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        FileLock unused = channel.lock(); // Until the channel is closed.
        long highest = Files.exists(file) ? tokenIn(Files.readString(file)) : 0;
        if (token < highest) {
          throw new StaleFenceException(token, highest);
        }
        writeNext(token + "\n" + text);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
      }
    }
  }

  private void writeNext(String content) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            next,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = StandardCharsets.UTF_8.encode(content);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  String read() throws IOException {
    String content = Files.readString(file);
    return content.substring(content.indexOf('\n') + 1);
  }

  private static long tokenIn(String content) {
    return Long.parseLong(content.substring(0, content.indexOf('\n')));
  }
}
