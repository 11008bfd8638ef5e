package io.testudo.quorum.runtime;

import io.testudo.quorum.spi.Journal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A journal that lives as long as its object: for tests and for clusters that need not survive
 * their process. A machine that restarts on the same one finds what it kept.
 */
public final class MemoryJournal implements Journal {
  private List<byte[]> records = new ArrayList<>();
  private long sizeBytes;

  public MemoryJournal() {}

  @Override
  public List<byte[]> recover() {
    return List.copyOf(records);
  }

  @Override
  public void recoverAgain(Consumer<List<byte[]>> then) {
    then.accept(recover());
  }

  @Override
  public void append(byte[] record) {
    records.add(record);
    sizeBytes += record.length;
  }

  @Override
  public void whenDurable(Runnable then) {
    then.run();
  }

  @Override
  public void replaceAll(List<byte[]> snapshot) {
    records = new ArrayList<>(snapshot);
    sizeBytes = snapshot.stream().mapToLong(record -> record.length).sum();
  }

  @Override
  public long sizeBytes() {
    return sizeBytes;
  }
}
