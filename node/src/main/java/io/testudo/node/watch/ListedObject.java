package io.testudo.node.watch;

import io.testudo.client.cluster.ObjectCensus;

/** An object as programs are told of it. */
public record ListedObject(String object, long version, int servers) {
  public static ListedObject of(ObjectCensus.Entry entry) {
    return new ListedObject(entry.object(), entry.version(), entry.servers());
  }
}
