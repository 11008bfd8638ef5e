package io.testudo.quorum.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.collect.ImmutableMap;
import com.google.common.io.Resources;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.FrameCodec;
import io.testudo.quorum.wire.StateCodec;
import io.testudo.quorum.wire.WireException;
import io.testudo.quorum.wire.WireLimits;
import io.testudo.quorum.wire.WireType;
import io.testudo.quorum.wire.WireTypes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The bytes of each release, kept for ever: what was once sent or stored must always be understood.
 * A line is never changed; a new release may add lines, and a file of its own if it writes
 * differently. A subclass has a sample of every type.
 */
public abstract class GoldenBytes {
  private static final long HANDLE = 300;

  private final WireTypes types;
  private final FrameCodec frames;
  private final StateCodec records;
  private final String resource;
  private final ImmutableMap<String, ?> samples;

  /**
   * Tests of some types.
   *
   * @param resource a line for each type: its name, and the bytes of its sample
   * @param samples messages and records, by the name of their type
   */
  protected GoldenBytes(WireTypes types, String resource, ImmutableMap<String, ?> samples) {
    this.types = types;
    this.frames = new FrameCodec(types, WireLimits.AUTHENTICATED);
    this.records = new StateCodec(types);
    this.resource = resource;
    this.samples = samples;
  }

  private Map<String, String> golden() throws IOException {
    return Resources.readLines(Resources.getResource(resource), StandardCharsets.UTF_8).stream()
        .map(line -> line.split(" ", 2))
        .collect(Collectors.toMap(words -> words[0], words -> words[1]));
  }

  private byte[] encode(Object sample) {
    return sample instanceof Message message
        ? frames.encode(List.of(new Envelope(HANDLE, message)))
        : records.encode((StateRecord) sample);
  }

  @Test
  public final void writesTheBytesOfVersionOne() throws IOException {
    Map<String, String> written = new TreeMap<>();
    samples.forEach((name, sample) -> written.put(name, HexFormat.of().formatHex(encode(sample))));
    assertEquals(golden(), written);
  }

  @Test
  public final void readsTheBytesOfVersionOne() throws IOException, WireException {
    for (Map.Entry<String, String> line : golden().entrySet()) {
      Object sample = Objects.requireNonNull(samples.get(line.getKey()), line.getKey());
      byte[] bytes = HexFormat.of().parseHex(line.getValue());
      if (sample instanceof Message message) {
        assertEquals(List.of(new Envelope(HANDLE, message)), frames.decode(bytes).envelopes());
      } else {
        assertEquals(sample, records.decode(bytes));
      }
    }
  }

  @Test
  public final void keepsASampleOfEveryType() {
    assertEquals(
        types.all().stream().map(WireType::name).collect(Collectors.toCollection(TreeSet::new)),
        new TreeSet<>(samples.keySet()));
  }
}
