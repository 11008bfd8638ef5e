package io.testudo.bench.micro;

import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.Frame;
import io.testudo.quorum.wire.FrameCodec;
import io.testudo.quorum.wire.WireException;
import io.testudo.quorum.wire.WireLimits;
import java.util.List;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Messages into bytes and back: a frame of pings and pongs as a server has sent them. */
@State(Scope.Thread)
public class CodecMicro {
  /** How many messages share a frame. */
  @Param({"1", "16"})
  public int messages;

  private final FrameCodec codec = new FrameCodec(PingTypes.ALL, WireLimits.AUTHENTICATED);
  private List<Envelope> envelopes = List.of();
  private byte[] frame = {};

  /** For JMH. */
  public CodecMicro() {}

  /** Makes the frame. */
  @Setup
  public void prepare() {
    List<Message> exchanged = PingExchange.messages(Entropy.seeded(1));
    envelopes =
        IntStream.range(0, messages)
            .mapToObj(i -> new Envelope(i, exchanged.get(i % exchanged.size())))
            .toList();
    frame = codec.encode(envelopes);
  }

  @Benchmark
  public byte[] encode() {
    return codec.encode(envelopes);
  }

  @Benchmark
  public Frame decode() throws WireException {
    return codec.decode(frame);
  }
}
