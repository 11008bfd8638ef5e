package io.testudo.bench.floor;

/** Who shares a connection to a server. */
public enum Connections {
  /** All clients: one connection for each server. */
  SHARED,
  /** Nobody: each client has one to each server. */
  SEPARATE
}
