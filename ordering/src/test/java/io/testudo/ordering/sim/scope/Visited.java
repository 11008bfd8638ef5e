package io.testudo.ordering.sim.scope;

import java.util.Arrays;

/** Pairs of numbers in the order in which they were added, each once, and where each came from. */
final class Visited {
  private long[] first = new long[1 << 12];
  private long[] second = new long[1 << 12];
  private int[] parent = new int[1 << 12];
  private int[] table = new int[1 << 13];
  private int size;

  int size() {
    return size;
  }

  long first(int index) {
    return first[index];
  }

  long second(int index) {
    return second[index];
  }

  int parent(int index) {
    return parent[index];
  }

  /** Adds a pair; false if it was there. */
  boolean add(long one, long other, int from) {
    int slot = slot(one, other);
    if (table[slot] != 0) {
      return false;
    }
    if (size == first.length) {
      grow();
      slot = slot(one, other);
    }
    first[size] = one;
    second[size] = other;
    parent[size] = from;
    table[slot] = ++size;
    return true;
  }

  /** Where a pair is, or would go. */
  private int slot(long one, long other) {
    long hash = (one * 0x9E3779B97F4A7C15L ^ other) * 0xBF58476D1CE4E5B9L;
    int slot = (int) (hash >>> 32) & (table.length - 1);
    while (table[slot] != 0
        && (first[table[slot] - 1] != one || second[table[slot] - 1] != other)) {
      slot = (slot + 1) & (table.length - 1);
    }
    return slot;
  }

  private void grow() {
    first = Arrays.copyOf(first, 2 * size);
    second = Arrays.copyOf(second, 2 * size);
    parent = Arrays.copyOf(parent, 2 * size);
    table = new int[4 * size];
    for (int i = 0; i < size; i++) {
      table[slot(first[i], second[i])] = i + 1;
    }
  }
}
