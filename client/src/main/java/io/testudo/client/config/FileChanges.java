package io.testudo.client.config;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Notices that files have changed, by looks at their attributes: whoever has it decides when. What
 * is being written is not taken: two looks have to see the same.
 */
public final class FileChanges {
  /** What the attributes of a file say. */
  private record Stamp(boolean exists, long size, FileTime modified, String key) {
    static final Stamp ABSENT = new Stamp(false, 0, FileTime.fromMillis(0), "");

    static Stamp of(Path file) {
      try {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
        return new Stamp(
            true, found.size(), found.lastModifiedTime(), String.valueOf(found.fileKey()));
      } catch (IOException e) {
        return ABSENT; // Or it may not be read: then that is said when somebody wants to.
      }
    }
  }

  /** Not a monitor: attributes of files are read while it is held. Guards what follows. */
  private final ReentrantLock looking = new ReentrantLock();

  private ImmutableSet<Path> files;

  /** Of the files that were read; of none at first, since one may have changed meanwhile. */
  private ImmutableMap<Path, Stamp> taken = ImmutableMap.of();

  private ImmutableMap<Path, Stamp> seen = ImmutableMap.of();

  public FileChanges(ImmutableSet<Path> files) {
    this.files = files;
  }

  private ImmutableMap<Path, Stamp> stamps() {
    ImmutableMap.Builder<Path, Stamp> stamps = ImmutableMap.builder();
    files.forEach(file -> stamps.put(file, Stamp.of(file)));
    return stamps.buildOrThrow();
  }

  /**
   * Whether files are to be read again: they have changed since they were {@linkplain #took taken},
   * and not since the last look.
   */
  public boolean look() {
    looking.lock();
    try {
      ImmutableMap<Path, Stamp> before = seen;
      seen = stamps();
      return !seen.equals(taken) && seen.equals(before);
    } finally {
      looking.unlock();
    }
  }

  /** Somebody is about to read them, whether they have changed or not. */
  public void lookOnce() {
    looking.lock();
    try {
      seen = stamps();
    } finally {
      looking.unlock();
    }
  }

  /**
   * What was seen last was read.
   *
   * @param next the files from now on: one may have named others
   */
  public void took(ImmutableSet<Path> next) {
    looking.lock();
    try {
      if (files.equals(next)) {
        taken = seen;
      } else {
        files = next;
        taken = ImmutableMap.of(); // What is new among them was not looked at before it was read.
      }
    } finally {
      looking.unlock();
    }
  }
}
