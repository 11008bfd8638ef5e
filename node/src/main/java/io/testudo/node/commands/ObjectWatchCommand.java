package io.testudo.node.commands;

import io.testudo.client.TestudoClient;
import io.testudo.node.ExitCode;
import io.testudo.node.Signals;
import io.testudo.node.log.Printable;
import io.testudo.ordering.ObjectChange;
import io.testudo.ordering.ObjectsListener;
import io.testudo.ordering.ReplicatedObject;
import io.testudo.ordering.Snapshot;
import io.testudo.ordering.Subscription;
import io.testudo.ordering.VersionListener;
import io.testudo.ordering.objects.SeriesState;
import io.testudo.quorum.TestudoException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
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
      "Versions that follow each other quickly may be skipped; the latest comes in the end.",
      "With --prefix it prints which objects come, change and go. Nothing polls: servers tell."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  testudo object watch visits --type counter",
      "  testudo object watch audit --type log --json",
      "  testudo object watch jobs/ --prefix"
    })
final class ObjectWatchCommand extends ObjectReading {
  /** What is not printed yet; a listener that waits for room skips versions. */
  private static final int MAX_WAITING = 16;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "End after so many versions, the present one included.")
  private @Nullable Long count;

  @Option(
      names = "--prefix",
      description = "NAME is what names start with; prints what happens to these objects.")
  private boolean isPrefix;

  private record ChangeRow(String object, String change, long version, @Nullable String type) {}

  private sealed interface News {
    record Version(Snapshot<?> snapshot) implements News {}

    record Named(ObjectChange change) implements News {}

    record Ended(@Nullable TestudoException reason) implements News {}
  }

  @Override
  protected int act(TestudoClient client, Duration patience) throws InterruptedException {
    if (isPrefix) {
      return watchNames(client);
    }
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

  private int watchNames(TestudoClient client) throws InterruptedException {
    BlockingQueue<News> news = new LinkedBlockingQueue<>(MAX_WAITING);
    endOnSignals(news);
    Subscription subscription =
        client
            .objects()
            .watch(
                name,
                new ObjectsListener() {
                  @Override
                  public void onChange(ObjectChange change) {
                    put(news, new News.Named(change));
                  }

                  @Override
                  public void onEnd(TestudoException reason) {
                    end(news, reason);
                  }
                });
    try {
      for (long printed = 0; count == null || printed < count; printed++) {
        News one = news.take();
        if (one instanceof News.Ended ended) {
          return ended(ended.reason());
        } else if (one instanceof News.Named named) {
          print(named.change());
        }
      }
      return ExitCode.OK;
    } finally {
      subscription.close();
    }
  }

  private void print(ObjectChange change) {
    String kind = change.kind().name().toLowerCase(Locale.ROOT);
    String type = change.type().isPresent() ? TypeNames.of(change.type().getAsInt()) : null;
    output.row(
        new ChangeRow(change.name(), kind, change.version(), type),
        "%s\t%s\tversion %d%s"
            .formatted(
                kind,
                Printable.of(change.name()),
                change.version(),
                type == null ? "" : "\t" + type));
  }

  /** A listener that waits for room skips what comes meanwhile. */
  private static void put(BlockingQueue<News> news, News one) {
    try {
      news.put(one);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
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
            put(news, new News.Version(snapshot));
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
