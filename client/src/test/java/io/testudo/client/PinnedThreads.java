package io.testudo.client;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * Hears from the JVM which virtual threads blocked and could not let their carrier go. The classes
 * are those of Java 17, so what later ones have is found by its name.
 */
final class PinnedThreads implements AutoCloseable {
  private static final String PINNED = "jdk.VirtualThreadPinned";

  /** Before Java 24 it pins, too, but that is not told. */
  private static final String MONITOR_WAIT = "jdk.JavaMonitorWait";

  private final Path file;
  private final Recording recording = new Recording();

  PinnedThreads(Path file) {
    this.file = file;
    recording.enable(PINNED).withoutThreshold().withStackTrace();
    recording.enable(MONITOR_WAIT).withoutThreshold().withStackTrace();
    recording.start();
  }

  /** Runs each task on a virtual thread of its own. */
  static ExecutorService virtualThreads() {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("a Java without virtual threads", e);
    }
  }

  /** Every time that a thread was pinned until now, with the frames that say by what. */
  List<String> events() throws IOException {
    recording.stop();
    recording.dump(file);
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals(PINNED) || isVirtual(event))
        .map(PinnedThreads::described)
        .toList();
  }

  private static boolean isVirtual(RecordedEvent event) {
    RecordedThread thread = event.getThread();
    return thread != null
        && thread.getThreadGroup() != null
        && "VirtualThreads".equals(thread.getThreadGroup().getName());
  }

  private static String described(RecordedEvent event) {
    String frames =
        event.getStackTrace() == null
            ? "no frames"
            : event.getStackTrace().getFrames().stream()
                .map(
                    frame ->
                        "%s.%s:%d"
                            .formatted(
                                frame.getMethod().getType().getName(),
                                frame.getMethod().getName(),
                                frame.getLineNumber()))
                .collect(Collectors.joining("\n    "));
    return "%s for %d us\n    %s"
        .formatted(event.getEventType().getName(), event.getDuration().toNanos() / 1_000, frames);
  }

  @Override
  public void close() {
    recording.close();
  }
}
