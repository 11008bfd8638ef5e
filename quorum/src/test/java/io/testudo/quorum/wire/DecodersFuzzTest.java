package io.testudo.quorum.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.testudo.crypto.KeyFile;
import io.testudo.crypto.KeyFileException;
import io.testudo.crypto.MalformedSealException;
import io.testudo.crypto.Seal;
import io.testudo.crypto.VerifyingKey;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.protocol.StateRecord;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Any bytes at all, for every decoder that reads what others wrote. In an ordinary build the kept
 * inputs are tried; docs/wire.md says how to search for new ones.
 */
class DecodersFuzzTest {
  private static final FrameCodec FRAMES = new FrameCodec(PingTypes.ALL, WireLimits.AUTHENTICATED);
  private static final StateCodec RECORDS = new StateCodec(PingTypes.ALL);

  @FuzzTest
  void frame(byte[] bytes) {
    Frame frame;
    try {
      frame = FRAMES.decode(bytes);
    } catch (WireException refused) {
      return;
    }
    Frame again = mustRead(FRAMES.encode(frame.envelopes()));
    assertThat(again.envelopes()).isEqualTo(frame.envelopes());
  }

  private static Frame mustRead(byte[] bytes) {
    try {
      return FRAMES.decode(bytes);
    } catch (WireException e) {
      throw new AssertionError("what we wrote ourselves is refused", e);
    }
  }

  @FuzzTest
  void seal(byte[] bytes) {
    Seal seal;
    try {
      seal = Seal.decode(bytes);
    } catch (MalformedSealException refused) {
      return;
    }
    assertThat(seal.encode()).isEqualTo(bytes);
  }

  @FuzzTest
  void keyFile(byte[] bytes) throws IOException {
    try (FileSystem files = Jimfs.newFileSystem(Configuration.unix())) {
      Path file = files.getPath("/work/key");
      Files.write(file, bytes);
      VerifyingKey key = KeyFile.readVerifyingKey(file);
      assertThat(key.toByteArray()).isNotEmpty();
    } catch (KeyFileException refused) {
      assertThat(refused).hasMessageContaining("/work/key");
    }
  }

  @FuzzTest
  void record(byte[] bytes) throws WireException {
    StateRecord record;
    try {
      record = RECORDS.decode(bytes);
    } catch (WireException refused) {
      return;
    }
    assertThat(RECORDS.decode(RECORDS.encode(record))).isEqualTo(record);
  }
}
