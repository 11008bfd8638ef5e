package io.testudo.mutex.dht.zone;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.quorum.Bytes;
import org.jspecify.annotations.Nullable;

/** The certificates of members that one node has seen, and what it thinks of others. */
public interface MemberCertificates {
  /**
   * The certificate of this node, or of a member that it has a channel to; null if there is none.
   */
  @Nullable MemberCertificate of(NodeId id);

  /** Whether the authority has given this one. */
  boolean isGenuine(MemberCertificate certificate);

  /** Where members may fail but do not lie: the channels prove enough. */
  static MemberCertificates ofChannels() {
    return new MemberCertificates() {
      @Override
      public MemberCertificate of(NodeId id) {
        return new MemberCertificate(id, Bytes.EMPTY);
      }

      @Override
      public boolean isGenuine(MemberCertificate certificate) {
        return true;
      }
    };
  }
}
