package io.testudo.client.keeping;

import io.testudo.client.recipes.LeaseSource;
import io.testudo.client.recipes.ReadWriteLock;
import io.testudo.mutex.LockOptions;

/** A read-write lock is a roster of which a reader takes one part, and a writer all. */
final class ReadWriteRecipe implements ReadWriteLock {
  private final RosterKeeper keeper;
  private final LockOptions options;

  ReadWriteRecipe(RosterKeeper keeper, LockOptions options) {
    this.keeper = keeper;
    this.options = options;
  }

  @Override
  public String name() {
    return keeper.object().name();
  }

  @Override
  public LeaseSource read() {
    return new RosterSource(keeper, 1, options);
  }

  @Override
  public LeaseSource write() {
    return new RosterSource(keeper, keeper.size(), options);
  }

  @Override
  public String toString() {
    return "ReadWriteLock(" + name() + ")";
  }
}
