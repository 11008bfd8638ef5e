package io.testudo.bench.floor;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.testudo.bench.measure.Completion;
import io.testudo.bench.measure.Session;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The clients of the floor, all on one event loop. Operations that start in the same turn of the
 * loop are written together when it ends, with one flush for each connection.
 */
final class FloorSession implements Session {
  /** A server that leaves so much unread does not keep up, and the session fails. */
  static final int MAX_UNREAD_BYTES = 4 << 20;

  private static final int MAX_CONNECT_MILLIS = 10_000;

  private final EventLoopGroup loops;
  private final EventLoop loop;
  private final ChannelGroup channels = EventLoops.channels();
  private final int answersAwaited;
  private final Operation[] operations;

  /** For each client its connections, one to each server; all clients may have the same. */
  private final FloorConnection[][] connectionsOf;

  // Only on the loop.
  private final List<FloorConnection> unflushed = new ArrayList<>();
  private boolean isFlushScheduled;
  private @Nullable Throwable failure;

  private FloorSession(EventLoopGroup loops, int clients, int answersAwaited) {
    this.loops = loops;
    this.loop = loops.next();
    this.answersAwaited = answersAwaited;
    this.operations = new Operation[clients];
    this.connectionsOf = new FloorConnection[clients][];
    for (int client = 0; client < clients; client++) {
      operations[client] = new Operation();
    }
  }

  static FloorSession connect(
      List<Integer> ports, int clients, int answersAwaited, Connections connections)
      throws IOException {
    EventLoopGroup loops = EventLoops.single();
    FloorSession session = new FloorSession(loops, clients, answersAwaited);
    try {
      FloorConnection[] first = session.connectAll(ports);
      for (int client = 0; client < clients; client++) {
        session.connectionsOf[client] =
            client == 0 || connections == Connections.SHARED ? first : session.connectAll(ports);
      }
      return session;
    } catch (IOException e) {
      session.close();
      throw e;
    }
  }

  private FloorConnection[] connectAll(List<Integer> ports) throws IOException {
    FloorConnection[] connected = new FloorConnection[ports.size()];
    for (int server = 0; server < connected.length; server++) {
      connected[server] = connect(ports.get(server));
    }
    return connected;
  }

  private FloorConnection connect(int port) throws IOException {
    FloorConnection connection = new FloorConnection(this);
    boolean isConnected =
        new Bootstrap()
            .group(loop)
            .channel(EventLoops.clientChannel())
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, MAX_CONNECT_MILLIS)
            .option(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(MAX_UNREAD_BYTES / 2, MAX_UNREAD_BYTES))
            .handler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    channels.add(channel);
                    channel.pipeline().addLast(connection);
                  }
                })
            .connect(InetAddress.getLoopbackAddress(), port)
            .awaitUninterruptibly()
            .isSuccess();
    if (!isConnected) {
      throw new IOException("no connection to the floor's server on port " + port);
    }
    return connection;
  }

  @Override
  public void start(int client, Completion completion) {
    if (loop.inEventLoop()) {
      startOnLoop(client, completion);
    } else {
      loop.execute(() -> startOnLoop(client, completion));
    }
  }

  private void startOnLoop(int client, Completion completion) {
    if (failure != null) {
      completion.failed(failure);
      return;
    }
    Operation operation = operations[client];
    operation.sequence++;
    operation.answers = 0;
    operation.completion = completion;
    for (FloorConnection connection : connectionsOf[client]) {
      if (connection.append(client, operation.sequence)) {
        unflushed.add(connection);
      }
    }
    if (!isFlushScheduled) {
      isFlushScheduled = true;
      loop.execute(this::flush);
    }
  }

  private void flush() {
    isFlushScheduled = false;
    for (int i = 0; i < unflushed.size(); i++) {
      unflushed.get(i).flush();
    }
    unflushed.clear();
  }

  /** A server answered. Answers beyond the awaited ones come late and count for nothing. */
  void onAnswer(int client, long sequence) {
    Operation operation = operations[client];
    if (operation.sequence != sequence || ++operation.answers != answersAwaited) {
      return;
    }
    Completion completion = operation.completion;
    operation.completion = null;
    if (completion != null) {
      completion.done();
    }
  }

  /** Ends all operations that are under way. */
  void fail(Throwable cause) {
    if (failure != null) {
      return;
    }
    failure = cause;
    for (Operation operation : operations) {
      Completion completion = operation.completion;
      operation.completion = null;
      if (completion != null) {
        completion.failed(cause);
      }
    }
  }

  @Override
  public void close() {
    EventLoops.end(channels, loops);
  }

  /** What a client waits for. Used on the loop only. */
  private static final class Operation {
    private long sequence;
    private int answers;
    private @Nullable Completion completion;
  }
}
