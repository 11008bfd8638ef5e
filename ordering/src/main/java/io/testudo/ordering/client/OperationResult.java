package io.testudo.ordering.client;

import io.testudo.ordering.log.OpId;
import io.testudo.quorum.Bytes;

/**
 * What came of an operation.
 *
 * @param version of the object that contains it
 */
public record OperationResult(OpId id, long version, Bytes result) {
  @Override
  public String toString() {
    return "OperationResult[" + id + ", v" + version + ", " + result.size() + " bytes]";
  }
}
