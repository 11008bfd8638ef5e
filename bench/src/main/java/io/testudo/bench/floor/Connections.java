package io.testudo.bench.floor;

import java.util.Locale;

/** Who shares a connection to a server. */
public enum Connections {
  /** All clients: one connection for each server. */
  SHARED,
  /** Nobody: each client has one to each server. */
  SEPARATE;

  /** How many client processes there are, as servers see it. */
  public int sessions(int clients) {
    return this == SHARED ? 1 : clients;
  }

  /** As in options and rows. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
