package io.testudo.quorum.cluster;

import io.testudo.crypto.ProtectedFile;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Collectors;

/**
 * Cluster descriptions as text files; docs/identity.md has the format.
 *
 * <p>A file is never overwritten. It is refused if others could change it: they would grant
 * themselves rights.
 */
public final class ClusterFile {
  /** The longest file, in bytes. */
  public static final int MAX_BYTES = 2 << 20;

  /** The longest line, in characters. */
  public static final int MAX_LINE_LENGTH = 1_024;

  static final String FIRST_LINE = "testudo-cluster 1";

  private ClusterFile() {}

  /** Reads a description. */
  public static ClusterDescription read(Path file) throws IOException {
    byte[] bytes = ProtectedFile.readPublic(file, MAX_BYTES);
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return parse(text, file.toString());
    } catch (CharacterCodingException e) {
      throw new ClusterFileException(
          "%s is no text in UTF-8; name the right file or restore it.".formatted(file), e);
    }
  }

  /** Writes a description into a new file. */
  public static void write(Path file, ClusterDescription cluster) throws IOException {
    byte[] text = format(cluster).getBytes(StandardCharsets.UTF_8);
    if (text.length > MAX_BYTES) {
      throw new ClusterFileException(
          "%s would have %s bytes, at most %s are read; grant fewer or shorter prefixes."
              .formatted(file, text.length, MAX_BYTES));
    }
    ProtectedFile.writePublic(file, text);
  }

  /**
   * Reads a description from text.
   *
   * @param source where the text is from, for messages
   */
  public static ClusterDescription parse(String text, String source) throws ClusterFileException {
    return new ClusterFileParser(source).parse(text);
  }

  /** The text of a description. Reading it gives an equal description. */
  public static String format(ClusterDescription cluster) {
    StringBuilder text = new StringBuilder();
    line(text, FIRST_LINE);
    line(text, "name " + cluster.name());
    line(text, "security " + cluster.security().modeName());
    line(text, "byzantine " + cluster.byzantine());
    if (!cluster.epochs().equals(KeyEpochs.FIRST)) {
      line(text, "epochs " + cluster.epochs());
    }
    for (int index = 0; index < cluster.servers(); index++) {
      Endpoint endpoint = cluster.endpoints().get(index);
      line(text, "server " + new ServerId(index) + " " + endpoint.host() + " " + endpoint.port());
    }
    for (String principal : cluster.rights().principals()) {
      if (cluster.rights().grantsOf(principal).isEmpty()) {
        line(text, "principal " + principal);
      }
      for (Grant grant : cluster.rights().grantsOf(principal)) {
        line(text, grantLine(grant));
      }
    }
    cluster
        .signingKeys()
        .forEach((principal, key) -> line(text, "signing-key " + principal + " " + key));
    return text.toString();
  }

  private static String grantLine(Grant grant) {
    String rights = grant.rights().stream().map(Right::rightName).collect(Collectors.joining(","));
    String scope = grant.prefix().isEmpty() ? "everything" : "prefix " + grant.prefix();
    return "grant " + grant.principal() + " " + rights + " " + scope;
  }

  private static void line(StringBuilder text, String line) {
    text.append(line).append('\n');
  }
}
