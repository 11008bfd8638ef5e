package io.testudo.node.commands;

import io.testudo.client.TestudoClient;
import io.testudo.node.ExitCode;
import io.testudo.node.Signals;
import io.testudo.ordering.ReplicatedObject;
import io.testudo.ordering.Snapshot;
import io.testudo.ordering.Subscription;
import io.testudo.ordering.VersionListener;
import io.testudo.ordering.objects.SeriesState;
import io.testudo.quorum.TestudoException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code testudo object watch}: prints an object as it changes. */
@Command(
    name = "watch",
    description = {
      "Prints an object whenever it has changed, until Ctrl-C; of a queue or log what is new.",
      "Versions that follow each other quickly may be skipped; the latest comes in the end."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  testudo object watch visits --type counter",
      "  testudo object watch audit --type log --json"
    })
final class ObjectWatchCommand extends ObjectReading {
  /** What is not printed yet; a listener that waits for room skips versions. */
  private static final int MAX_WAITING = 16;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "End after so many versions, the present one included.")
  private @Nullable Long count;

  private sealed interface News {
    record Version(Snapshot<?> snapshot) implements News {}

    record Ended(@Nullable TestudoException reason) implements News {}
  }

  @Override
  protected int act(TestudoClient client, Duration patience) throws InterruptedException {
    // Whether it can be read at all, in time.
    ReplicatedObject<?> object = client.object(name, kind().type()).withTimeout(patience);
    Long unused = await(object.<Long>readStaleVersion(Snapshot::version));
    BlockingQueue<News> news = new LinkedBlockingQueue<>(MAX_WAITING);
    endOnSignals(news);
    Subscription subscription = watch(object, news);
    try {
      long printed = 0;
      long next = 0;
      while (count == null || printed < count) {
        News one = news.take();
        if (one instanceof News.Ended ended) {
          return ended(ended.reason());
        } else if (one instanceof News.Version version) {
          rows(version.snapshot(), next).forEach(row -> output.row(row, line(row)));
          if (version.snapshot().state() instanceof SeriesState series) {
            next = series.next();
          }
          printed++;
        }
      }
      return ExitCode.OK;
    } finally {
      subscription.close();
    }
  }

  /** Where signals are not heard, the process ends by them. */
  private static void endOnSignals(BlockingQueue<News> news) {
    for (String signal : List.of("INT", "TERM")) {
      boolean unused = Signals.onSignal(signal, () -> end(news, null));
    }
  }

  private static int ended(@Nullable TestudoException reason) {
    if (reason != null) {
      throw reason;
    }
    return ExitCode.OK;
  }

  private static String line(ValueRow row) {
    return row.version() + "\t" + row.text();
  }

  private static <S> Subscription watch(ReplicatedObject<S> object, BlockingQueue<News> news) {
    return object.onVersion(
        new VersionListener<S>() {
          @Override
          public void onVersion(Snapshot<S> snapshot) {
            try {
              news.put(new News.Version(snapshot));
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }

          @Override
          public void onEnd(TestudoException reason) {
            end(news, reason);
          }
        });
  }

  private static void end(BlockingQueue<News> news, @Nullable TestudoException reason) {
    news.clear();
    boolean unused = news.offer(new News.Ended(reason));
  }
}
