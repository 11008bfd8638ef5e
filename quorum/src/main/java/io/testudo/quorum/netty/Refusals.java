package io.testudo.quorum.netty;

import io.netty.channel.Channel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.util.AttributeKey;
import io.testudo.quorum.channel.ChannelException;
import io.testudo.quorum.wire.WireException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Names for what connections are closed for. */
final class Refusals {
  static final String TOO_MANY = "too-many-connections";
  static final String HANDSHAKE_TIMEOUT = "handshake-timeout";
  static final String SLOW_FRAME = "slow-frame";
  static final String IDLE = "idle";
  static final String UNSENDABLE = "unsendable";
  static final String UNREAD = "unread";
  static final String FAULT = "fault";
  static final String PUNISHED = "after-a-fault";
  static final String NO_RIGHT = "no-right";
  static final String OLD_KEYS = "old-keys";
  static final String OTHER_SEALS = "other-seals";
  static final String UNTRUSTED = "untrusted";
  static final String UNKNOWN_PRINCIPAL = "unknown-principal";

  /** Why this end closed a connection, for whoever asks what became of it. */
  private static final AttributeKey<String> REASON = AttributeKey.valueOf(Refusals.class, "reason");

  private Refusals() {}

  /** Closes a connection because of what the peer did. */
  static void close(Channel channel, String kind, String detail) {
    channel.attr(REASON).setIfAbsent(kind + ": " + detail);
    var unused = channel.close();
  }

  /** Why this end closed it, if it did. */
  static @Nullable String reason(Channel channel) {
    return channel.attr(REASON).get();
  }

  static String kind(Throwable cause) {
    if (cause instanceof ChannelException refused) {
      return flag(refused.reason());
    } else if (cause instanceof WireException refused) {
      return flag(refused.fault());
    } else if (cause instanceof TooLongFrameException) {
      return flag(WireException.Fault.OVERSIZE);
    } else if (cause instanceof SSLException) {
      return "tls";
    } else if (cause instanceof DecoderException && cause.getCause() != null) {
      return kind(cause.getCause());
    } else if (cause instanceof IOException) {
      return "connection-lost";
    }
    return "internal";
  }

  private static String flag(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The host of the other end; ports would make every connection look new. */
  static String address(Channel channel) {
    return channel.remoteAddress() instanceof InetSocketAddress address
        ? address.getHostString()
        : "unknown";
  }
}
