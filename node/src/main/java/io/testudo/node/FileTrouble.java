package io.testudo.node;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Why a file cannot be had: the messages of Java itself often have its name and no reason. */
public final class FileTrouble {
  private FileTrouble() {}

  /** The reason in a few words. */
  public static String words(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file or directory";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof NotDirectoryException) {
      return "not a directory";
    }
    if (e instanceof FileSystemException told && told.getReason() != null) {
      return told.getReason();
    }
    return String.valueOf(e.getMessage());
  }
}
