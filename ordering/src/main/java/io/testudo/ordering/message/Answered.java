package io.testudo.ordering.message;

import com.google.protobuf.ByteString;
import io.testudo.crypto.Digest;
import io.testudo.ordering.log.OpId;
import io.testudo.quorum.protocol.Message;
import java.util.Optional;

/**
 * Server to client: your operation is done.
 *
 * @param version that contains it
 * @param result empty if it was forgotten because you had received it
 */
public record Answered(String object, OpId id, long version, Optional<ByteString> result)
    implements Message {
  /** Of what it says came of the operation. */
  public Digest digest() {
    return Digest.builder("testudo answer")
        .add(version)
        .add(result.isPresent() ? 1 : 0)
        .add(result.orElse(ByteString.EMPTY).toByteArray())
        .build();
  }

  @Override
  public String toString() {
    String what = result.map(bytes -> bytes.size() + " bytes").orElse("forgotten");
    return "Answered[" + object + ", " + id + ", v" + version + ", " + what + "]";
  }
}
