package io.testudo.node.commands;

import io.testudo.client.TestudoClient;
import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.config.ClientConfig;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import io.testudo.node.client.Failures;
import io.testudo.ordering.ObjectTypeException;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.Right;
import io.testudo.quorum.TestudoException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What the commands on one object have in common. */
abstract class ObjectAction implements Subcommand {
  @Parameters(index = "0", paramLabel = "NAME", description = "The name of the object.")
  protected String name;

  @Option(names = "--hex", description = "Keys and values are hexadecimal digits, not text.")
  private boolean hex;

  @Mixin private TimeoutOption timeout;
  @Mixin private ClientOptions client;
  @Mixin protected Output output;

  /** What an operation did. */
  protected record DoneRow(String object, String type, Object result) {}

  /**
   * Does it.
   *
   * @param patience how long calls may take
   */
  protected abstract int act(TestudoClient client, Duration patience) throws InterruptedException;

  protected abstract boolean isRead();

  /** The right that it needs, if it is no read and this client may not order. */
  protected Right right() {
    return Right.SUBMIT;
  }

  private String ofAnotherType(ObjectTypeException reason) {
    return reason.otherType().stream()
        .boxed()
        .flatMap(number -> ObjectKind.ofNumber(number).stream())
        .map(kind -> "'%s' is a %s; %s".formatted(name, kind, remedy(kind)))
        .findFirst()
        .orElse(
            "'%s' is no object that this command knows (%s).".formatted(name, reason.getMessage()));
  }

  /** Only some commands are for several types. */
  private String remedy(ObjectKind kind) {
    return output.offers("--type") ? "add: --type " + kind : "this command is for another type.";
  }

  @Override
  public final Integer call() throws InterruptedException {
    ClientConfig config = client.readOfCluster();
    if (isRead()) {
      config.require(Right.READ, name);
    } else if (!config.cluster().rights().allows(config.principal(), Right.ORDER, name)) {
      config.require(right(), name);
    }
    try (TestudoClient connected = TestudoClient.connect(config.file())) {
      try {
        return act(connected, timeout.orAsConfigured(config));
      } catch (ObjectTypeException e) {
        throw new CommandException(ofAnotherType(e), e);
      } catch (TestudoException e) {
        throw Failures.explain(
            connected.unwrap(ClusterClient.class),
            e,
            e.outcome() == Outcome.UNKNOWN ? ExitCode.UNKNOWN : ExitCode.FAILED);
      } catch (IllegalArgumentException e) {
        throw new CommandException(String.valueOf(e.getMessage()), e);
      }
    }
  }

  /** Waits for an answer. */
  protected static <T> T await(CompletableFuture<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TestudoException told) {
        throw told;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  /** Tells what came of an operation. */
  protected final void done(ObjectKind kind, Object result) {
    output.row(new DoneRow(name, kind.toString(), result), String.valueOf(result));
  }

  /** A key or value as it was typed. */
  protected final Bytes bytes(String typed) {
    if (!hex) {
      return Bytes.utf8(typed);
    }
    try {
      return Bytes.wrap(HexFormat.of().parseHex(typed));
    } catch (IllegalArgumentException e) {
      throw CommandException.usage(
          "'%s' is not an even number of hexadecimal digits; correct it, or leave --hex out."
              .formatted(typed),
          e);
    }
  }

  /** A key or value for people and programs. */
  protected final String shown(Bytes value) {
    return hex ? HexFormat.of().formatHex(value.toByteArray()) : value.toText();
  }

  /** A whole number as it was typed. */
  protected static long number(String typed) {
    try {
      return Long.parseLong(typed);
    } catch (NumberFormatException e) {
      throw CommandException.usage(
          "'%s' is no whole number of 64 bits; correct it.".formatted(typed), e);
    }
  }

  /** Nothing is there, or not under this key. */
  protected final CommandException noValue(@Nullable String key) {
    return new CommandException(
        key == null
            ? "'%s' holds no value.".formatted(name)
            : "'%s' has no key '%s'.".formatted(name, key));
  }
}
