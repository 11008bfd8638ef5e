package io.testudo.node.process;

import com.google.common.base.Splitter;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The class path of an application that depends on {@code testudo-client} alone: what that brings,
 * out of all that these tests have.
 */
final class ApplicationPath {
  /** Jars as Maven names them, or directories of classes where nothing is packed yet. */
  private static final Pattern TESTUDO =
      Pattern.compile(
          ".*(/testudo-(crypto|quorum|mutex|ordering|client)-[^/]*\\.jar"
              + "|/(crypto|quorum|mutex|ordering|client)/(target/classes|main))");

  private static final Pattern NETTY =
      Pattern.compile(
          ".*/netty-(buffer|codec|codec-(base|compression|marshalling|protobuf)|common|handler|resolver"
              + "|transport|transport-classes-epoll|transport-native-unix-common)-\\d[^/]*\\.jar");

  private static final Pattern OTHERS =
      Pattern.compile(
          ".*/(guava|failureaccess|bcprov-jdk18on|bcpkix-jdk18on|bcutil-jdk18on|slf4j-api|jspecify|config)"
              + "-\\d[^/]*\\.jar");

  private static final Path OLDER = Path.of("target/older");

  private ApplicationPath() {}

  /** What it needs, with the versions that Testudo is built with. */
  static List<String> usual() {
    return Stream.of(TESTUDO, NETTY, OTHERS).flatMap(ApplicationPath::entries).toList();
  }

  /** Netty 4.1, as an application has it that manages the version of all of Netty's modules. */
  static List<String> withOlderNettyInItsPlace() throws IOException {
    return Stream.of(older("netty-"), entries(TESTUDO), entries(OTHERS))
        .flatMap(all -> all)
        .toList();
  }

  /** Netty 4.1, as an application has it where nobody chose between the versions. */
  static List<String> withOlderNettyInFront() throws IOException {
    return Stream.concat(older("netty-"), usual().stream()).toList();
  }

  /** Protobuf 3, which Testudo does not need. */
  static List<String> withOlderProtobufInFront() throws IOException {
    return Stream.concat(older("protobuf-java-"), usual().stream()).toList();
  }

  private static Stream<String> entries(Pattern pattern) {
    List<String> found =
        Splitter.on(File.pathSeparatorChar)
            .splitToStream(System.getProperty("java.class.path"))
            .filter(entry -> pattern.matcher(entry).matches())
            .toList();
    if (found.isEmpty()) {
      throw new AssertionError("nothing on the class path is as " + pattern);
    }
    return found.stream();
  }

  /** Maven copies them there before tests are compiled. */
  private static Stream<String> older(String prefix) throws IOException {
    List<String> found;
    try (Stream<Path> files = Files.list(OLDER)) {
      found =
          files
              .filter(file -> file.getFileName().toString().startsWith(prefix))
              .map(file -> file.toAbsolutePath().toString())
              .toList();
    }
    if (found.isEmpty()) {
      throw new AssertionError("no " + prefix + " in " + OLDER);
    }
    return found.stream();
  }
}
