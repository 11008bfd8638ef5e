package io.testudo.crypto;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides by permissions and owner whether a key file can be trusted. Paths come resolved: the
 * rules hold for the file itself, not for a link to it.
 */
final class KeyFileGuard {
  private static final Set<PosixFilePermission> WRITE_BY_OTHERS =
      PosixFilePermissions.fromString("----w--w-");
  private static final Set<PosixFilePermission> ANY_BY_OTHERS =
      PosixFilePermissions.fromString("---rwxrwx");

  private static final String ROOT = "root";

  private KeyFileGuard() {}

  /** Whether files in this directory have owner, group and permissions. */
  static boolean hasPermissions(Path directory) {
    return posixView(directory) != null;
  }

  /** Refuses a directory in which others could put a file of their own in place of the key. */
  static void requireSafeDirectory(Path directory, boolean confidential) throws IOException {
    PosixFileAttributeView view = posixView(directory);
    if (view == null) {
      requirePublic(directory, confidential);
    } else if (allowsAny(view.readAttributes(), WRITE_BY_OTHERS)) {
      throw new KeyFileException(
          "%s can be written by others, who could replace files in it; run: chmod go-w %s"
              .formatted(directory, directory));
    }
  }

  /**
   * Refuses a file that others could change, and a secret that others may read or that is theirs.
   */
  static void requireSafeFile(Path file, boolean confidential) throws IOException {
    PosixFileAttributeView view = posixView(file);
    if (view == null) {
      requirePublic(file, confidential);
      return;
    }
    PosixFileAttributes attributes = view.readAttributes();
    if (confidential) {
      requireOwnerOnly(file, attributes);
    } else if (allowsAny(attributes, WRITE_BY_OTHERS)) {
      throw new KeyFileException(
          "%s can be written by others, who could replace it; run: chmod go-w %s"
              .formatted(file, file));
    }
  }

  /** Refuses what belongs to neither the user of the process nor root. */
  static void requireOwn(Path path) throws IOException {
    PosixFileAttributeView view = posixView(path);
    if (view != null) {
      requireOwner(path, view.readAttributes().owner().getName(), processUser());
    }
  }

  static void requireOwner(Path path, String owner, String self) throws KeyFileException {
    if (!owner.equals(self) && !owner.equals(ROOT)) {
      throw new KeyFileException(
          "%s belongs to %s, but this process runs as %s.".formatted(path, owner, self));
    }
  }

  private static void requireOwnerOnly(Path file, PosixFileAttributes attributes)
      throws IOException {
    String owner = attributes.owner().getName();
    String self = processUser();
    if (!owner.equals(self)) {
      throw new KeyFileException(
          "%s belongs to %s, but this process runs as %s; run: chown %s %s"
              .formatted(file, owner, self, self, file));
    }
    if (allowsAny(attributes, ANY_BY_OTHERS)) {
      throw new KeyFileException(
          "%s holds a secret but is open to others than its owner; run: chmod 600 %s"
              .formatted(file, file));
    }
  }

  private static boolean allowsAny(
      PosixFileAttributes attributes, Set<PosixFilePermission> permissions) {
    return !Collections.disjoint(attributes.permissions(), permissions);
  }

  /**
   * The user this process runs as. Root is no exception: a secret in another user's file is known
   * to that user.
   */
  static String processUser() throws IOException {
    String name = System.getProperty("user.name", "?");
    // The JDK says "?" for a user without a name, as in some containers; files then show a number.
    return name.equals("?") ? Files.getOwner(Path.of("/proc/self")).getName() : name;
  }

  private static void requirePublic(Path path, boolean confidential) throws KeyFileException {
    if (confidential) {
      throw new KeyFileException(
          ("%s is on a file system that can't tell who may read a file;"
                  + " keep secrets on one with POSIX permissions.")
              .formatted(path));
    }
  }

  private static @Nullable PosixFileAttributeView posixView(Path path) {
    return Files.getFileAttributeView(
        path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }
}
