package io.testudo.node.commands;

import io.testudo.node.CommandException;
import io.testudo.node.FileTrouble;
import io.testudo.ordering.ObjectLimits;
import io.testudo.quorum.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A value that is typed, or the content of a file. */
final class ObjectInput {
  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "The value is what this file holds, byte for byte; - for standard input.")
  private @Nullable Path file;

  boolean isFile() {
    return file != null;
  }

  /**
   * The value.
   *
   * @param typed null if there was none
   */
  Bytes value(@Nullable String typed, Function<String, Bytes> reader) {
    if (file == null) {
      if (typed == null) {
        throw CommandException.usage("The value is missing; give it, or name a --file.");
      }
      return reader.apply(typed);
    }
    if (typed != null) {
      throw CommandException.usage("There is a value and a --file; leave one of them out.");
    }
    try (InputStream in = file.toString().equals("-") ? System.in : Files.newInputStream(file)) {
      // One byte more than fits, so that what is too large is seen to be.
      return Bytes.wrap(in.readNBytes(ObjectLimits.MAX_ARGUMENT_BYTES + 1));
    } catch (IOException e) {
      throw new CommandException("%s cannot be read: %s".formatted(file, FileTrouble.words(e)), e);
    }
  }
}
