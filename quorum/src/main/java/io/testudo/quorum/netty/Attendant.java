package io.testudo.quorum.netty;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Message;

/** Takes what comes to a server. Calls may come from any of its threads. */
interface Attendant {
  /** What it is called where something is wrong with it. */
  String name();

  /** Whether it takes such messages. */
  boolean handles(Message message);

  void receive(ClientId from, Message message);

  /** Ends it, and waits for that. */
  void stop();

  /** Without waiting: for one that may be on the loop itself, or whose loop may be dead. */
  void stopSoon();

  /** Runs {@code then} when a task has gone through the loop and a write through the journal. */
  void prove(Runnable then);
}
