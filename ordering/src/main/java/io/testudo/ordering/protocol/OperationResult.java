package io.testudo.ordering.protocol;

import com.google.protobuf.ByteString;

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
