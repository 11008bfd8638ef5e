package io.testudo.ordering.client;

import com.google.protobuf.ByteString;
import io.testudo.ordering.log.OpId;

/**
 * What came of an operation.
 *
 * @param version of the object that contains it
 */
public record OperationResult(OpId id, long version, ByteString result) {
  @Override
  public String toString() {
    return "OperationResult[" + id + ", v" + version + ", " + result.size() + " bytes]";
  }
}
