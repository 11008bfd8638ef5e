package io.testudo.quorum.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** What a journal needs of a file system: one directory of it. Tests put faults here. */
interface JournalFiles {
  /** Takes the directory for this user of it alone, until closed; refuses if it is taken. */
  Closeable lock() throws IOException;

  boolean exists(String name) throws IOException;

  /** A new and empty file, open for writing. */
  OpenFile create(String name) throws IOException;

  OpenFile open(String name) throws IOException;

  /** Gives a file another name, in one step also if a file of that name exists. */
  void rename(String from, String to) throws IOException;

  void deleteIfExists(String name) throws IOException;

  /** Makes what was created, renamed and deleted so far survive a loss of power. */
  void syncDirectory() throws IOException;

  /** How messages name the directory. */
  String directory();

  /** One open file. */
  interface OpenFile extends Closeable {
    long length() throws IOException;

    /** Reads at a place, as {@link java.nio.channels.FileChannel#read(ByteBuffer, long)}. */
    int read(ByteBuffer into, long offset) throws IOException;

    /** Writes all of it at a place. */
    void write(ByteBuffer bytes, long offset) throws IOException;

    /** Makes what was written so far survive a loss of power. */
    void force() throws IOException;
  }
}
