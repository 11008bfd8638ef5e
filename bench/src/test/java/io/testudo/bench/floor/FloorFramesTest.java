package io.testudo.bench.floor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FloorFramesTest {
  private final List<String> seen = new ArrayList<>();
  private final EmbeddedChannel channel = new EmbeddedChannel(new Collecting());

  private final class Collecting extends FloorFrames {
    @Override
    void onMessage(ByteBuf message) {
      seen.add(message.readInt() + ":" + message.readLong());
      skipPadding(message);
    }

    @Override
    void readEnds(ChannelHandlerContext context) {
      seen.add("end");
    }
  }

  @AfterEach
  void closes() {
    channel.finishAndReleaseAll();
  }

  private static ByteBuf frames(int count) {
    ByteBuf out = Unpooled.buffer();
    for (int i = 0; i < count; i++) {
      FloorFrames.write(out, i, 100L + i);
    }
    return out;
  }

  @Test
  void writesALengthAnd64Bytes() {
    ByteBuf frame = frames(1);
    assertThat(frame.readableBytes()).isEqualTo(4 + 64);
    assertThat(frame.readInt()).isEqualTo(64);
  }

  @Test
  void handlesAllMessagesOfOneReadBeforeItEnds() {
    channel.writeInbound(frames(3));
    assertThat(seen).containsExactly("0:100", "1:101", "2:102", "end");
  }

  @Test
  void joinsMessagesThatArriveInPieces() {
    for (int pieceBytes : new int[] {1, 3, 67, 69, 100}) {
      seen.clear();
      ByteBuf stream = frames(3);
      while (stream.isReadable()) {
        channel.writeInbound(stream.readBytes(Math.min(pieceBytes, stream.readableBytes())));
      }
      assertThat(seen)
          .as("pieces of %d bytes", pieceBytes)
          .filteredOn(what -> !what.equals("end"))
          .containsExactly("0:100", "1:101", "2:102");
    }
  }

  @Test
  void refusesAnotherLength() {
    ByteBuf frame = frames(1);
    frame.setInt(0, 65);
    assertThatThrownBy(() -> channel.writeInbound(frame))
        .isInstanceOf(CorruptedFrameException.class);
  }
}
