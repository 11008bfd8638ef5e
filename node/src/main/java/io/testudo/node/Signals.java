package io.testudo.node;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Signals that the operating system sends to this process. Java has no public way to hear them; the
 * class that virtual machines have for it is found by its name, because the compiler warns of it
 * and no annotation silences that.
 */
public final class Signals {
  private static final Map<String, Integer> NUMBERS = Map.of("HUP", 1, "INT", 2, "TERM", 15);

  private Signals() {}

  /**
   * Whether a signal was ignored when this process began, as SIGHUP is under {@code nohup}: Java
   * leaves such a signal alone, and no listener hears of it. False where nobody can tell.
   */
  public static boolean isIgnored(String name) {
    int number = NUMBERS.getOrDefault(name, 0);
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      return number > 0
          && lines
              .filter(line -> line.startsWith("SigIgn:"))
              .map(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
              .anyMatch(ignored -> (ignored >>> (number - 1) & 1) == 1);
    } catch (IOException | NumberFormatException e) {
      return false; // Not on this system.
    }
  }

  /**
   * Calls a listener for each signal from now on, on a thread of its own.
   *
   * @param name such as TERM
   * @return false if this machine cannot do so, or does not know the signal
   */
  public static boolean onSignal(String name, Runnable listener) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      InvocationHandler calls =
          (self, method, arguments) ->
              switch (method.getName()) {
                case "handle" -> {
                  listener.run();
                  yield null;
                }
                case "equals" -> arguments != null && self == arguments[0];
                case "hashCode" -> System.identityHashCode(self);
                default -> "handler of " + name;
              };
      Object proxy =
          Proxy.newProxyInstance(Signals.class.getClassLoader(), new Class<?>[] {handler}, calls);
      Object unused =
          signal
              .getMethod("handle", signal, handler)
              .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
      return true;
    } catch (ReflectiveOperationException e) {
      return false; // Also for a signal that does not exist here, or that the machine keeps.
    }
  }
}
