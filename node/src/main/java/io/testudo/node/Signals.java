package io.testudo.node;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * Signals that the operating system sends to this process. Java has no public way to hear them; the
 * class that virtual machines have for it is found by its name, because the compiler warns of it
 * and no annotation silences that.
 */
public final class Signals {
  private Signals() {}

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
