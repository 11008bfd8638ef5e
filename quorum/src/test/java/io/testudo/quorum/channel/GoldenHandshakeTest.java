package io.testudo.quorum.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.KeyEpochs;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The layout of the hello, byte by byte as docs/identity.md has it. */
class GoldenHandshakeTest {
  private static final String EPOCHS = "00000001" + "00000203" + "00000004";

  @Test
  void hasThisLayout() {
    Hello hello =
        new Hello("town", new ServerId(3), "al", 0x0102030405060708L, new KeyEpochs(1, 0x203, 4));
    assertThat(HexFormat.of().formatHex(hello.encode(MessageKind.HMAC_HELLO, new byte[] {9})))
        .isEqualTo("0101" + "03" + "0102030405060708" + EPOCHS + "04746f776e" + "02616c" + "09");
    assertThat(HexFormat.of().formatHex(hello.encode(MessageKind.TLS_HELLO, new byte[0])))
        .isEqualTo("0601" + "03" + "0102030405060708" + EPOCHS + "04746f776e" + "00");
  }
}
