package io.testudo.quorum.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.ServerId;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The layout of the hello, byte by byte as docs/identity.md has it. */
class GoldenHandshakeTest {
  @Test
  void hasThisLayout() {
    Hello hello = new Hello("town", new ServerId(3), "al", 0x0102030405060708L);
    assertThat(HexFormat.of().formatHex(hello.encode(MessageKind.HMAC_HELLO, new byte[] {9})))
        .isEqualTo("0101" + "03" + "0102030405060708" + "04746f776e" + "02616c" + "09");
    assertThat(HexFormat.of().formatHex(hello.encode(MessageKind.TLS_HELLO, new byte[0])))
        .isEqualTo("0601" + "03" + "0102030405060708" + "04746f776e" + "00");
  }
}
