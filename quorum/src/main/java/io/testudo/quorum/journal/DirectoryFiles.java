package io.testudo.quorum.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The journal's directory on a real file system. */
final class DirectoryFiles implements JournalFiles {
  private static final String LOCK = "journal.lock";

  /**
   * The directories that this process has locked. The lock of the file alone would not do: when a
   * process closes any handle of a file, POSIX drops all locks that it holds on it, so a second
   * opener in this process would free the directory for other processes by being refused.
   */
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  private final Path directory;

  DirectoryFiles(Path directory) {
    this.directory = directory;
  }

  /** Makes the directory if there is none, to last. */
  static void make(Path directory) throws IOException {
    Path absolute = directory.toAbsolutePath();
    Path parent = absolute.getParent();
    if (parent == null || Files.isDirectory(absolute)) {
      return;
    }
    make(parent);
    Files.createDirectory(absolute, ownerOnly(parent, "rwx------"));
    sync(parent);
  }

  /** Asks the file system and not the mount below it, of which nothing is known in a chroot. */
  private static FileAttribute<?>[] ownerOnly(Path parent, String permissions) {
    return parent.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[] {};
  }

  @Override
  public Closeable lock() throws IOException {
    Path real = directory.toRealPath();
    if (!HELD_HERE.add(real)) {
      throw inUse();
    }
    try {
      FileChannel channel =
          channel(LOCK, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE));
      FileLock lock = channel.tryLock();
      if (lock == null) {
        channel.close();
        throw inUse();
      }
      return () -> {
        try (channel) {
          lock.release();
        } finally {
          HELD_HERE.remove(real);
        }
      };
    } catch (IOException | RuntimeException e) {
      HELD_HERE.remove(real);
      throw e;
    }
  }

  private JournalException inUse() {
    return new JournalInUseException(
        "The journal in %s is in use; stop the server that runs on it or name another directory."
            .formatted(directory));
  }

  @Override
  public boolean exists(String name) {
    return Files.exists(directory.resolve(name));
  }

  @Override
  public OpenFile create(String name) throws IOException {
    return new Channel(
        channel(
            name,
            Set.of(
                StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)));
  }

  @Override
  public OpenFile open(String name) throws IOException {
    return new Channel(channel(name, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE)));
  }

  private FileChannel channel(String name, Set<OpenOption> options) throws IOException {
    return FileChannel.open(directory.resolve(name), options, ownerOnly(directory, "rw-------"));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void deleteIfExists(String name) throws IOException {
    Files.deleteIfExists(directory.resolve(name));
  }

  @Override
  public void syncDirectory() throws IOException {
    sync(directory);
  }

  private static void sync(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public String directory() {
    return directory.toString();
  }

  private record Channel(FileChannel channel) implements OpenFile {
    @Override
    public long length() throws IOException {
      return channel.size();
    }

    @Override
    public int read(ByteBuffer into, long offset) throws IOException {
      return channel.read(into, offset);
    }

    @Override
    public void write(ByteBuffer bytes, long offset) throws IOException {
      long at = offset;
      while (bytes.hasRemaining()) {
        at += channel.write(bytes, at);
      }
    }

    @Override
    public void force() throws IOException {
      // Not the times of the file: its length is synced all the same.
      channel.force(false);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
