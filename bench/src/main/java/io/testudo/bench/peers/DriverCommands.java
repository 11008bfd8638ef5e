package io.testudo.bench.peers;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.driver.PeerDriver;
import io.testudo.bench.driver.PeerServers;
import io.testudo.bench.peers.Peer.Driver;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.AtomicHistogram;
import org.jspecify.annotations.Nullable;

/**
 * How drivers are started: with the bench's own classes that measure, the libraries of one system,
 * and nothing else.
 *
 * @param libraries a directory for each, if they were built
 * @param isOnPath whether there is such a program
 * @param compiler options for all virtual machines, of drivers and of servers
 */
record DriverCommands(Path libraries, Predicate<String> isOnPath, ImmutableList<String> compiler) {
  /** Where the launcher says that they are. */
  static final String PROPERTY = "testudo.peers";

  /**
   * All virtual machines at once have more to compile than a quick run has time for, and the better
   * compiler takes most of it. Without it all are warm after some seconds.
   */
  private static final ImmutableList<String> FIRST_COMPILER =
      ImmutableList.of("-XX:TieredStopAtLevel=1");

  DriverCommands(Path libraries, Predicate<String> isOnPath) {
    this(libraries, isOnPath, ImmutableList.of());
  }

  /**
   * As the launcher started this process.
   *
   * @param isQuick whether the run is a look: then of Java's compilers only the quick one is used
   */
  static DriverCommands ofThisProcess(boolean isQuick) {
    String directory = System.getProperty(PROPERTY, "");
    return new DriverCommands(
        Path.of(directory.isEmpty() ? "no-such-directory" : directory),
        DriverCommands::isProgram,
        isQuick ? FIRST_COMPILER : ImmutableList.of());
  }

  private static boolean isProgram(String name) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, name)));
  }

  /** Why a system cannot be measured here, and what to do; null if it can. */
  @Nullable String obstacle(Peer peer) {
    Driver driver = peer.driver();
    if (driver.program() != null && !isOnPath.test(driver.program())) {
      return "there is no %s on the PATH: install it (Debian: apt-get install %s)"
          .formatted(driver.program(), driver.debianPackage());
    }
    if (driver.library() != null && !Files.isDirectory(libraryOf(driver.library()))) {
      return "its driver was not built: run ./testudo of the checkout, which builds it, or mvn -B"
          + " -Ppeers package";
    }
    return null;
  }

  /** The command of a system without an {@link #obstacle}. */
  ImmutableList<String> command(Peer peer) {
    Driver driver = peer.driver();
    List<String> command = new ArrayList<>(PeerServers.java());
    command.addAll(1, compiler); // Before what TESTUDO_JAVA_OPTS says, which counts then.
    command.add("-cp");
    command.add(classPath(driver));
    command.add(driver.main());
    command.addAll(driver.arguments());
    return ImmutableList.copyOf(command);
  }

  private String classPath(Driver driver) {
    if (driver.library() == null) {
      return Stream.of(System.getProperty("java.class.path", "").split(File.pathSeparator, -1))
          .map(entry -> Path.of(entry).toAbsolutePath().toString())
          .collect(Collectors.joining(File.pathSeparator));
    }
    return String.join(
        File.pathSeparator,
        placeOf(PeerDriver.class),
        placeOf(AtomicHistogram.class),
        libraryOf(driver.library()).toAbsolutePath() + File.separator + "*");
  }

  private Path libraryOf(String library) {
    return libraries.resolve(library);
  }

  /** The jar or directory that has a class. */
  private static String placeOf(Class<?> type) {
    CodeSource source = Objects.requireNonNull(type.getProtectionDomain().getCodeSource());
    try {
      return Path.of(source.getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
