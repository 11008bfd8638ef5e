package io.testudo.client.cluster;

import io.testudo.mutex.protocol.ListLocks;
import io.testudo.mutex.protocol.LockList;
import io.testudo.ordering.message.ListObjects;
import io.testudo.ordering.message.ObjectList;
import io.testudo.quorum.protocol.Message;
import java.util.Optional;
import java.util.function.LongFunction;

/** What to ask for behind one page of a list, if there is more. */
final class ListPages {
  private ListPages() {}

  static Optional<LongFunction<Message>> behind(LockList page, String backend, String prefix) {
    if (!page.more() || page.locks().isEmpty()) {
      return Optional.empty();
    }
    String last = page.locks().get(page.locks().size() - 1).lock();
    return Optional.of(nonce -> new ListLocks(nonce, backend, prefix, last));
  }

  static Optional<LongFunction<Message>> behind(ObjectList page, String prefix) {
    if (!page.more() || page.objects().isEmpty()) {
      return Optional.empty();
    }
    String last = page.objects().get(page.objects().size() - 1).object();
    return Optional.of(nonce -> new ListObjects(nonce, prefix, last));
  }
}
