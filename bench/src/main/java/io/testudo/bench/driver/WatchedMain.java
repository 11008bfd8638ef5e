package io.testudo.bench.driver;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * Runs another main class, and ends this virtual machine when standard input does: a server that
 * knows nothing of its parent ends with it all the same.
 */
public final class WatchedMain {
  private WatchedMain() {}

  /** The name of the main class, and its arguments. */
  public static void main(String[] args) throws Exception {
    Thread watch = new Thread(() -> haltAfter(System.in), "parent-watch");
    watch.setDaemon(true);
    watch.start();
    String[] rest = Arrays.copyOfRange(args, 1, args.length);
    try {
      Class.forName(args[0]).getMethod("main", String[].class).invoke(null, (Object) rest);
    } catch (InvocationTargetException e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private static void haltAfter(InputStream in) {
    try {
      while (in.read() >= 0) {
        // Only the end matters.
      }
    } catch (IOException e) {
      // The end as well.
    }
    Runtime.getRuntime().halt(0);
  }
}
