package io.testudo.crypto;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;

/**
 * Files that nobody but their owner may change, and none but the owner read if they hold secrets;
 * the rules are those of {@link KeyFile}.
 */
public final class ProtectedFile {
  private static final FileAttribute<?>[] NO_ATTRIBUTES = {};

  private ProtectedFile() {}

  /** Writes a new file that everybody may read. */
  public static void writePublic(Path file, byte[] content) throws KeyFileException {
    write(file, false, content);
  }

  /** Reads a file that only its owner can have changed, of at most so many bytes. */
  public static byte[] readPublic(Path file, int maxBytes) throws KeyFileException {
    return read(file, false, maxBytes);
  }

  /** Refuses a file that belongs to another user, or lies in that user's directory. */
  public static void requireOwn(Path file) throws KeyFileException {
    try {
      Path real = file.toRealPath();
      KeyFileGuard.requireOwn(directoryOf(file));
      KeyFileGuard.requireOwn(directoryOf(real));
      KeyFileGuard.requireOwn(real);
    } catch (KeyFileException e) {
      throw e;
    } catch (IOException e) {
      throw new KeyFileException(
          "%s could not be looked at (%s); see that this user may.".formatted(file, e), e);
    }
  }

  static void write(Path file, boolean confidential, byte[] text) throws KeyFileException {
    try {
      Path directory = directoryOf(file);
      KeyFileGuard.requireSafeDirectory(directory, confidential);
      writeNew(directory, directory.resolve(file.getFileName()), confidential, text);
    } catch (KeyFileException e) {
      throw e;
    } catch (FileAlreadyExistsException e) {
      throw new KeyFileException(
          "%s exists and is never overwritten; move it away or name another file.".formatted(file),
          e);
    } catch (IOException e) {
      throw new KeyFileException(
          "%s could not be written (%s); see that this user may and that there is room."
              .formatted(file, e),
          e);
    }
  }

  static byte[] read(Path file, boolean confidential, int maxBytes) throws KeyFileException {
    try {
      Path real = file.toRealPath();
      // First of all, since opening a pipe would wait for its writer.
      if (!Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)) {
        throw new KeyFileException("%s is no regular file; name the file itself.".formatted(file));
      }
      KeyFileGuard.requireSafeDirectory(directoryOf(real), confidential);
      KeyFileGuard.requireSafeFile(real, confidential);
      return readBounded(real, file, maxBytes);
    } catch (KeyFileException e) {
      throw e;
    } catch (NoSuchFileException e) {
      throw new KeyFileException(
          "%s does not exist; name the right file or create it.".formatted(file), e);
    } catch (AccessDeniedException e) {
      throw new KeyFileException(
          "%s may not be read by this user; see who owns it, and its directory.".formatted(file),
          e);
    } catch (IOException e) {
      throw new KeyFileException(
          "%s could not be read (%s); see that this user may read it.".formatted(file, e), e);
    }
  }

  private static Path directoryOf(Path file) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null) {
      throw new KeyFileException("%s is a directory; name a file in it.".formatted(file));
    }
    try {
      return directory.toRealPath();
    } catch (NoSuchFileException | NotDirectoryException e) {
      throw new KeyFileException(
          "The directory %s does not exist; create it first.".formatted(directory), e);
    }
  }

  private static void writeNew(Path directory, Path file, boolean confidential, byte[] text)
      throws IOException {
    // Created with its permissions in one step: at no time can others open it.
    try (FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            attributes(directory, confidential))) {
      boolean written = false;
      try {
        // Some file systems accept permissions and ignore them; ask before the key goes in.
        KeyFileGuard.requireSafeFile(file, confidential);
        ByteBuffer buffer = ByteBuffer.wrap(text);
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
        channel.force(true);
        syncDirectory(directory);
        written = true;
      } finally {
        if (!written) {
          Files.delete(file);
        }
      }
    }
  }

  private static FileAttribute<?>[] attributes(Path directory, boolean confidential) {
    if (!KeyFileGuard.hasPermissions(directory)) {
      return NO_ATTRIBUTES;
    }
    String permissions = confidential ? "rw-------" : "rw-r--r--";
    return new FileAttribute<?>[] {
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
    };
  }

  private static void syncDirectory(Path directory) throws IOException {
    FileChannel channel;
    try {
      channel = FileChannel.open(directory, StandardOpenOption.READ);
    } catch (IOException e) {
      // Not every platform lets a directory be opened; those that don't need no sync of it.
      return;
    }
    try (channel) {
      channel.force(true);
    }
  }

  private static byte[] readBounded(Path real, Path named, int maxBytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(maxBytes + 1);
    try (FileChannel channel =
        FileChannel.open(real, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
        // Until full or at the end.
      }
    }
    byte[] text = Arrays.copyOf(buffer.array(), buffer.position());
    SecretBytes.wipe(buffer.array());
    if (text.length > maxBytes) {
      throw new KeyFileException(
          "%s is longer than the %s bytes it may have; name the right file."
              .formatted(named, maxBytes));
    }
    return text;
  }
}
