package io.testudo.quorum.netty;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.channel.ChannelException;
import io.testudo.quorum.channel.FrameGuard;
import io.testudo.quorum.channel.Handshake;
import io.testudo.quorum.channel.HmacHandshake;
import io.testudo.quorum.cluster.ClientKeyring;
import java.io.IOException;
import java.security.SecureRandom;

/** What a bad connection does before it waits for its end. */
enum Abuse {
  /** Says nothing, for ever. */
  SILENT(Refusals.HANDSHAKE_TIMEOUT) {
    @Override
    void commit(RawPeer peer, ClientKeyring keys) {}
  },

  /** Begins a message that it does not end. */
  SLOW(Refusals.HANDSHAKE_TIMEOUT) {
    @Override
    void commit(RawPeer peer, ClientKeyring keys) throws IOException {
      peer.send(new byte[] {0, 0, 1, 0, 1, 2, 3});
    }
  },

  GARBAGE("bad-version") {
    @Override
    void commit(RawPeer peer, ClientKeyring keys) throws IOException {
      peer.sendFrame(new byte[] {1, 2, 3, 4, 5, 6, 7});
    }
  },

  OVERSIZE("oversize") {
    @Override
    void commit(RawPeer peer, ClientKeyring keys) throws IOException {
      peer.send(new byte[] {0x7f, -1, -1, -1});
    }
  },

  /** Knows how to begin, and then has no key to prove it. */
  UNAUTHENTICATED("bad-mac") {
    @Override
    void commit(RawPeer peer, ClientKeyring keys) throws IOException, ChannelException {
      Handshake handshake = HmacHandshake.client(keys, S0, 1, new SecureRandom());
      peer.sendFrame(handshake.begin());
      byte[] proof = handshake.receive(peer.readFrame()).reply();
      proof[proof.length - 1] ^= 1;
      peer.sendFrame(proof);
    }
  },

  /** Shows who it is, and then says everything twice. */
  REPLAY("replay") {
    @Override
    void commit(RawPeer peer, ClientKeyring keys) throws IOException, ChannelException {
      FrameGuard guard = peer.authenticate(keys, S0, 1);
      byte[] frame = RawPeer.sealedPing(guard, 1);
      peer.sendFrame(frame);
      peer.sendFrame(frame);
    }
  };

  private static final ServerId S0 = new ServerId(0);

  private final String refusal;

  Abuse(String refusal) {
    this.refusal = refusal;
  }

  abstract void commit(RawPeer peer, ClientKeyring keys) throws IOException, ChannelException;

  /** As what it is counted. */
  String refusal() {
    return refusal;
  }
}
