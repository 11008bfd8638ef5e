package io.testudo.ordering.message;

import io.testudo.crypto.Digest;
import io.testudo.ordering.log.OpId;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.protocol.Message;
import java.util.Optional;

/**
 * Server to client: your operation is done.
 *
 * @param version that contains it
 * @param result empty if it was forgotten because you had received it
 */
public record Answered(String object, OpId id, long version, Optional<Bytes> result)
    implements Message {
  /** Of what it says came of the operation. */
  public Digest digest() {
    Digest.Builder digest =
        Digest.builder("testudo answer").add(version).add(result.isPresent() ? 1 : 0);
    return result.orElse(Bytes.EMPTY).view(digest::add).build();
  }

  @Override
  public String toString() {
    String what = result.map(bytes -> bytes.size() + " bytes").orElse("forgotten");
    return "Answered[" + object + ", " + id + ", v" + version + ", " + what + "]";
  }
}
