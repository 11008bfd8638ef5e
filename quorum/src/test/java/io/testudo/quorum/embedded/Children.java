package io.testudo.quorum.embedded;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Main classes of children that behave in different ways. */
final class Children {
  private Children() {}

  /** Gets ready with the ports that it was given. */
  static final class Good {
    public static void main(String[] args) throws Exception {
      System.out.println("some words first");
      List<Integer> ports = List.of(args).stream().map(Integer::valueOf).toList();
      ChildMain.run(() -> new Fixed(ports));
    }
  }

  /** Ends before it is ready. */
  static final class DiesEarly {
    public static void main(String[] args) throws IOException, InterruptedException {
      ChildMain.run(
          () -> {
            throw new IOException("the port is taken");
          });
    }
  }

  /** Never gets ready, but watches its parent. */
  static final class NeverReady {
    public static void main(String[] args) throws IOException, InterruptedException {
      System.out.println("still thinking");
      ChildMain.run(
          () -> {
            new CountDownLatch(1).await();
            return new Fixed(List.of());
          });
    }
  }

  /** Gets ready and then ignores that its parent wants it to end. */
  static final class Stubborn {
    public static void main(String[] args) throws InterruptedException {
      System.out.println(ChildMain.READY + " 1");
      new CountDownLatch(1).await();
    }
  }

  /** A parent: starts a child of its own, tells its process id, and waits to be killed. */
  static final class Parent {
    public static void main(String[] args) throws IOException, InterruptedException {
      ServerProcess child = ServerProcess.start(Good.class, List.of("1"));
      System.out.println("child " + child.handle().pid());
      new CountDownLatch(1).await();
    }
  }

  private record Fixed(List<Integer> ports) implements ChildMain.Servers {
    @Override
    public void close() {}
  }
}
