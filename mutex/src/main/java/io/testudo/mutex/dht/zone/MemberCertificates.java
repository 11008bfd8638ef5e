package io.testudo.mutex.dht.zone;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.protocol.Moment;
import org.jspecify.annotations.Nullable;

/** The certificates of members that one node has seen, and what it thinks of others. */
public interface MemberCertificates {
  /** The longest proof, in bytes: a certificate of the longest names has less. */
  int MAX_PROOF_BYTES = 1_280;

  /**
   * The certificate of this node, or of a member that it has a channel to, if it is valid now; null
   * if there is none.
   */
  @Nullable MemberCertificate of(NodeId id, Moment now);

  /**
   * Whether the authority has given this one, and it is valid now. That may cost a signature, which
   * is at the expense of who shows it: who shows many that are not known has to wait.
   *
   * @param speaker as its channel has proven it
   */
  boolean isGenuine(NodeId speaker, MemberCertificate certificate, Moment now);

  /** Whether they prove anything, so that members that lie are to be expected. */
  boolean areProofs();

  /** Where members may fail but do not lie: the channels prove enough. */
  static MemberCertificates ofChannels() {
    return new MemberCertificates() {
      @Override
      public MemberCertificate of(NodeId id, Moment now) {
        return new MemberCertificate(id, Bytes.EMPTY);
      }

      @Override
      public boolean isGenuine(NodeId speaker, MemberCertificate certificate, Moment now) {
        return true;
      }

      @Override
      public boolean areProofs() {
        return false;
      }
    };
  }
}
