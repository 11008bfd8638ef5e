package io.testudo.ordering.protocol;

import com.google.protobuf.ByteString;

/**
 * What came of an operation.
 *
 * @param version of the object that contains it
 * @param result or, if it was refused, the reason
 * @param refused whether it made no sense to the object, and so changed nothing
 */
public record OperationResult(OpId id, long version, ByteString result, boolean refused) {
  @Override
  public String toString() {
    return "OperationResult[" + id + ", v" + version + ", " + result.size() + " bytes]";
  }
}
