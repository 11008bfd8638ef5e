package io.testudo.node.process;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import io.testudo.node.commands.TrainingRun;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * What processes of the command are started with: the class path of these tests and, as the
 * launcher has it, an archive of the classes that commands load. Tests start about a hundred of
 * them, and each takes a third less processor time with it. The virtual machine archives no classes
 * from directories, so these are packed. All of it lies in {@code target} and is made anew when a
 * class has changed.
 *
 * @param options of the virtual machine
 */
record ClassArchive(List<String> options, String classPath) {
  private static final Path PLACE = Path.of("target", "class-archive").toAbsolutePath();
  private static final List<String> QUICK =
      List.of(
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-Xmx128m",
          "-XX:-UsePerfData",
          "-Dio.netty.jfr.enabled=false");
  private static final ClassArchive USUAL = ofClassPath(System.getProperty("java.class.path"));

  static ClassArchive usual() {
    return USUAL;
  }

  private static ClassArchive ofClassPath(String path) {
    try {
      Files.createDirectories(PLACE);
      // Test classes run side by side in several processes, and the first of them makes it.
      try (FileChannel channel =
          FileChannel.open(
              PLACE.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        FileLock unused = channel.lock();
        return make(List.of(path.split(File.pathSeparator, -1)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static ClassArchive make(List<String> path) throws IOException, InterruptedException {
    Path archive = PLACE.resolve("classes.jsa");
    Path digest = PLACE.resolve("digest");
    String present = digest(path);
    boolean isFresh = Files.exists(digest) && Files.readString(digest).equals(present);
    List<String> packed = new ArrayList<>();
    for (String entry : path) {
      Path jar = PLACE.resolve("classes-" + packed.size() + ".jar");
      boolean isDirectory = Files.isDirectory(Path.of(entry));
      if (isDirectory && !isFresh) {
        pack(Path.of(entry), jar);
      }
      packed.add(isDirectory ? jar.toString() : entry);
    }
    String classPath = String.join(File.pathSeparator, packed);
    if (!isFresh) {
      Files.deleteIfExists(archive);
      train(archive, classPath);
      Files.writeString(digest, present);
    }
    List<String> options = new ArrayList<>(QUICK);
    options.add("-XX:SharedArchiveFile=" + archive);
    // If there is none that the virtual machine can use, it goes without it, and says nothing.
    options.addAll(List.of("-Xshare:auto", "-Xlog:disable", "-Xlog:all=error:stderr"));
    return new ClassArchive(options, classPath);
  }

  /** Changes whenever a class does. */
  private static String digest(List<String> path) throws IOException {
    Hasher hasher = Hashing.sha256().newHasher();
    for (String entry : path) {
      hasher.putUnencodedChars(entry).putChar('\n');
      try (Stream<Path> files =
          Files.exists(Path.of(entry)) ? Files.walk(Path.of(entry)) : Stream.empty()) {
        for (Path file : files.sorted().filter(Files::isRegularFile).toList()) {
          hasher
              .putUnencodedChars(file.toString())
              .putLong(Files.size(file))
              .putLong(Files.getLastModifiedTime(file).toMillis());
        }
      }
    }
    return hasher.hash().toString();
  }

  private static void pack(Path directory, Path jar) throws IOException {
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(directory)) {
      out.setLevel(1);
      for (Path file : files.sorted().filter(Files::isRegularFile).toList()) {
        out.putNextEntry(
            new ZipEntry(directory.relativize(file).toString().replace(File.separatorChar, '/')));
        Files.copy(file, out);
      }
    }
  }

  /** Where no archive can be made, there is none. */
  private static void train(Path archive, String classPath)
      throws IOException, InterruptedException {
    String list = PLACE.resolve("classes.list").toString();
    List<String> training = new ArrayList<>(QUICK);
    training.addAll(List.of("-XX:DumpLoadedClassList=" + list, "-cp", classPath));
    training.add(TrainingRun.class.getName());
    run("training.log", training);
    // With the collector that puts objects into it, too.
    run(
        "dump.log",
        List.of(
            "-XX:+UseG1GC",
            "-Xshare:dump",
            "-XX:SharedClassListFile=" + list,
            "-XX:SharedArchiveFile=" + archive,
            "-cp",
            classPath));
  }

  private static void run(String log, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(java(), "-Xlog:disable"));
    command.addAll(arguments);
    new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(PLACE.resolve(log).toFile())
        .start()
        .waitFor();
  }

  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }
}
