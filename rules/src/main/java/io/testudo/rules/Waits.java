package io.testudo.rules;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Calls of the JDK and of Netty that wait, or that run what somebody else has brought. */
final class Waits {
  /** Of a type and what is below it, the methods that wait. */
  private record Waiting(String type, Set<String> methods) {}

  private static final List<Waiting> WAITING =
      List.of(
          new Waiting("java.lang.Object", Set.of("wait")),
          new Waiting("java.lang.Thread", Set.of("sleep", "join", "onSpinWait")),
          new Waiting("java.lang.Process", Set.of("waitFor")),
          new Waiting("java.util.concurrent.locks.LockSupport", Set.of("park", "parkNanos")),
          new Waiting(
              "java.util.concurrent.locks.Lock", Set.of("lock", "lockInterruptibly", "tryLock")),
          new Waiting(
              "java.util.concurrent.locks.Condition",
              Set.of("await", "awaitNanos", "awaitUninterruptibly", "awaitUntil")),
          new Waiting("java.util.concurrent.Future", Set.of("get", "join")),
          new Waiting("java.util.concurrent.CompletableFuture", Set.of("get", "join")),
          new Waiting("java.util.concurrent.CountDownLatch", Set.of("await")),
          new Waiting("java.util.concurrent.CyclicBarrier", Set.of("await")),
          new Waiting(
              "java.util.concurrent.Semaphore", Set.of("acquire", "acquireUninterruptibly")),
          new Waiting("java.util.concurrent.BlockingQueue", Set.of("put", "take")),
          new Waiting(
              "java.util.concurrent.ExecutorService",
              Set.of("invokeAll", "invokeAny", "awaitTermination", "close")),
          new Waiting(
              "io.netty.util.concurrent.Future",
              Set.of("sync", "syncUninterruptibly", "await", "awaitUninterruptibly", "get")));

  /** Whoever calls into these waits for disks, sockets or pipes. */
  private static final List<String> INPUT_AND_OUTPUT =
      List.of(
          "java.io.InputStream",
          "java.io.OutputStream",
          "java.io.Reader",
          "java.io.Writer",
          "java.io.RandomAccessFile",
          "java.net.Socket",
          "java.net.ServerSocket",
          "java.nio.channels.Channel",
          "java.nio.channels.Selector",
          "java.nio.file.Files");

  private static final List<String> BROUGHT =
      List.of("java.lang.Runnable", "java.util.concurrent.Callable", "java.util.Comparator");

  private Waits() {}

  /** Why a thread that holds a monitor must not make this call; empty if it may. */
  static Optional<String> of(JavaClass owner, String method) {
    for (Waiting waiting : WAITING) {
      if (waiting.methods().contains(method) && owner.isAssignableTo(waiting.type())) {
        return Optional.of("waits");
      }
    }
    if (INPUT_AND_OUTPUT.stream().anyMatch(owner::isAssignableTo)) {
      return Optional.of("reads or writes");
    }
    boolean isOfAnotherLibrary = House.isWithin(owner, "io.netty"); // Whose loops only line up.
    if (!isOfAnotherLibrary
        && method.equals("execute")
        && owner.isAssignableTo("java.util.concurrent.Executor")) {
      return Optional.of("may run at once what a caller has brought");
    }
    return owner.getPackageName().equals("java.util.function")
            || BROUGHT.contains(owner.getFullName())
        ? Optional.of("may run what a caller has brought")
        : Optional.empty();
  }
}
