package io.testudo.bench.peers;

import io.testudo.bench.cluster.TemporaryDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What a run must not leave behind, however it ends: processes, and a directory with all their
 * files. An interrupt by the terminal ends them by a hook of the virtual machine.
 */
final class RunGuard implements AutoCloseable {
  private final TemporaryDirectory directory;
  private final Set<DriverProcess> drivers = ConcurrentHashMap.newKeySet();
  private final Thread hook = new Thread(this::interrupted, "end-peers");
  private volatile boolean isInterrupted;

  private RunGuard(TemporaryDirectory directory) {
    this.directory = directory;
  }

  /**
   * A guard.
   *
   * @param parent in which its directory is made; null for where the system keeps temporary files
   */
  static RunGuard in(@Nullable Path parent) throws IOException {
    RunGuard guard = new RunGuard(TemporaryDirectory.createIn(parent));
    Runtime.getRuntime().addShutdownHook(guard.hook);
    return guard;
  }

  Path path() {
    return directory.path();
  }

  /** Starts a driver, with a directory of its own. */
  DriverProcess launch(String name, List<String> command) throws IOException {
    return launch(name, name, command);
  }

  /** The same where there are several of one name, one after the other. */
  DriverProcess launch(String name, String directoryName, List<String> command) throws IOException {
    DriverProcess driver =
        DriverProcess.launch(name, command, Files.createDirectory(path().resolve(directoryName)));
    drivers.add(driver);
    if (isInterrupted) {
      driver.kill(); // The hook may not have seen it.
    }
    return driver;
  }

  /** Ends a driver and its servers, in order. */
  void end(DriverProcess driver) {
    driver.close();
    drivers.remove(driver);
  }

  /** Whether all is ending anyway: then drivers end by the same signal, and that is no failure. */
  boolean isInterrupted() {
    return isInterrupted;
  }

  private void interrupted() {
    isInterrupted = true;
    drivers.forEach(DriverProcess::kill); // Its directory goes by a hook of its own.
  }

  @Override
  public void close() throws IOException {
    try {
      drivers.parallelStream().forEach(DriverProcess::close);
      if (!isInterrupted) {
        directory.close();
      }
    } finally {
      try {
        boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // It runs already.
      }
    }
  }
}
