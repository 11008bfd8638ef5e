package io.testudo.ordering.client;

/** By what the clients of an object settle who orders. Safety rests on neither. */
public enum TurnsBy {
  /** Whoever wants to order begins a ballot; of those who meet, the highest rank goes on. */
  RANK,

  /** Whoever wants to order gets the lock of the object first, and has it until its tenure ends. */
  LOCK
}
