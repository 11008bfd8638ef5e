package io.testudo.node.watch;

import io.testudo.client.cluster.ObjectCensus;

/** An object as programs are told of it. */
public record ObjectRow(String object, long version, int servers) {
  public static ObjectRow of(ObjectCensus.Entry entry) {
    return new ObjectRow(entry.object(), entry.version(), entry.servers());
  }
}
