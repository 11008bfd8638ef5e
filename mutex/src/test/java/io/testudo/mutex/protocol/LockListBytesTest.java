package io.testudo.mutex.protocol;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.junit.GoldenBytes;
import io.testudo.quorum.protocol.Message;
import java.util.Optional;

class LockListBytesTest extends GoldenBytes {
  private static final LockView.User USER = new LockView.User(new ClientId("alice", -7, 300), 2);

  private static final ImmutableMap<String, Message> SAMPLES =
      ImmutableMap.of(
          "ListLocks",
          new ListLocks(-2, "backoff", "pr\u00fcfung/", "pr\u00fcfung/a"),
          "LockList",
          new LockList(
              300,
              ImmutableList.of(
                  new LockView(
                      "printer",
                      Optional.of(new LockView.Holding(USER, 1L << 60, 2_000_000_000L)),
                      ImmutableList.of(USER),
                      40),
                  new LockView("scanner", Optional.empty(), ImmutableList.of(), 0)),
              true));

  LockListBytesTest() {
    super(LockListTypes.ALL, "golden/v1/locks.txt", SAMPLES);
  }
}
