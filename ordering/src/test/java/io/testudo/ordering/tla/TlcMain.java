package io.testudo.ordering.tla;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Searches as it is told, until its input ends: a line names the file for TLC's words and TLC's
 * arguments, and the answer is TLC's code. TLC keeps its state in static fields: each search has
 * classes of its own.
 */
final class TlcMain {
  /** Between the words of a line. */
  static final String BETWEEN = "\t";

  private TlcMain() {}

  public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
    URL jar = Path.of(arguments[0]).toUri().toURL();
    PrintStream answers = System.out;
    System.setOut(System.err);
    BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      String[] words = line.split(BETWEEN, -1);
      answers.println(search(jar, words[0], Arrays.copyOfRange(words, 1, words.length)));
    }
    // TLC leaves threads behind.
    Runtime.getRuntime().halt(0);
  }

  private static int search(URL jar, String output, String[] arguments)
      throws IOException, ReflectiveOperationException {
    try (PrintStream out = new PrintStream(output, UTF_8);
        URLClassLoader classes =
            new URLClassLoader(new URL[] {jar}, ClassLoader.getPlatformClassLoader())) {
      Class<?> streams = classes.loadClass("util.ToolIO");
      for (String name : new String[] {"out", "err"}) {
        Field stream = streams.getField(name);
        stream.set(null, out);
      }
      Class<?> type = classes.loadClass("tlc2.TLC");
      Object tlc = type.getConstructor().newInstance();
      Object resolver =
          classes.loadClass("util.SimpleFilenameToStream").getConstructor().newInstance();
      if (!(boolean)
          type.getMethod("handleParameters", String[].class).invoke(tlc, (Object) arguments)) {
        return 1;
      }
      type.getMethod("setResolver", classes.loadClass("util.FilenameToStream"))
          .invoke(tlc, resolver);
      return (int) type.getMethod("process").invoke(tlc);
    }
  }
}
