package io.testudo.quorum.journal;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A directory in memory whose power can fail before any operation, and whose operations can fail.
 * It keeps apart what a process sees and what would be there after a loss of power. It promises no
 * more than POSIX does: a sync of a file brings its bytes to the disk and not its name.
 */
final class FaultDisk implements JournalFiles {
  static final int SECTOR_BYTES = 16;

  /** The power is off: this and every later operation does not happen. */
  static final class PowerLoss extends Error {
    private static final long serialVersionUID = 1L;

    PowerLoss() {
      super("power loss", null, false, false);
    }
  }

  private static final class Write {
    final int offset;
    final byte[] bytes;

    Write(int offset, byte[] bytes) {
      this.offset = offset;
      this.bytes = bytes;
    }
  }

  private static final class Inode {
    byte[] durable = {};
    byte[] seen = {};
    final List<Write> unsynced = new ArrayList<>();
  }

  private interface NameChange {
    void applyTo(Map<String, Inode> names);
  }

  private final Map<String, Inode> durableNames = new TreeMap<>();
  private final Map<String, Inode> names = new TreeMap<>();
  private final List<NameChange> unsyncedNames = new ArrayList<>();
  private final List<String> operations = new ArrayList<>();
  private int powerFailsAt = Integer.MAX_VALUE;
  private @Nullable String failing;
  private boolean locked;

  /** The power fails before the operation with this number, counted from now. */
  void failPowerAt(int operation) {
    powerFailsAt = operations.size() + operation;
  }

  /** Every operation of this kind fails from now on, as if the disk were full or broken. */
  void failAlways(String kind) {
    failing = kind;
  }

  /** What was done, in order. */
  List<String> operations() {
    return operations;
  }

  int unsyncedNameChanges() {
    return unsyncedNames.size();
  }

  int unsyncedBytes() {
    return names.values().stream()
        .flatMap(inode -> inode.unsynced.stream())
        .mapToInt(write -> write.bytes.length)
        .sum();
  }

  byte[] bytesOf(String name) {
    return inode(name).seen.clone();
  }

  /** Puts a file there, durable. */
  void put(String name, byte[] bytes) {
    Inode inode = new Inode();
    inode.durable = bytes.clone();
    inode.seen = bytes.clone();
    names.put(name, inode);
    durableNames.put(name, inode);
  }

  /** The process that uses the disk ends; the machine goes on. */
  void endProcess() {
    locked = false;
  }

  /** What a new process finds while the machine went on: everything that was seen. */
  FaultDisk afterProcessDeath() {
    FaultDisk next = new FaultDisk();
    next.names.putAll(names);
    next.durableNames.putAll(durableNames);
    next.unsyncedNames.addAll(unsyncedNames);
    return next;
  }

  /**
   * What is found after a loss of power.
   *
   * @param fate what became of the bytes that were not synced
   * @param nameChanges how many of the unsynced changes of names took place
   */
  FaultDisk afterPowerLoss(Fate fate, int nameChanges) {
    Map<String, Inode> left = new TreeMap<>(durableNames);
    unsyncedNames.subList(0, nameChanges).forEach(change -> change.applyTo(left));
    FaultDisk next = new FaultDisk();
    left.forEach((name, inode) -> next.put(name, contentAfter(inode, fate)));
    return next;
  }

  private static byte[] contentAfter(Inode inode, Fate fate) {
    byte[] content = Arrays.copyOf(inode.durable, inode.seen.length);
    int length = fate.keepsLength() ? content.length : inode.durable.length;
    int streamed = 0;
    for (Write write : inode.unsynced) {
      for (int i = 0; i < write.bytes.length; i++) {
        int at = write.offset + i;
        if (fate.keeps(streamed++, at / SECTOR_BYTES)) {
          content[at] = write.bytes[i];
          length = Math.max(length, at + 1);
        }
      }
    }
    return Arrays.copyOf(content, length);
  }

  private static byte[] written(byte[] content, int at, byte[] bytes) {
    byte[] next = Arrays.copyOf(content, Math.max(content.length, at + bytes.length));
    System.arraycopy(bytes, 0, next, at, bytes.length);
    return next;
  }

  private void operate(String kind) throws IOException {
    if (operations.size() >= powerFailsAt) {
      throw new PowerLoss();
    }
    operations.add(kind);
    if (kind.equals(failing)) {
      throw new IOException("No space left on device");
    }
  }

  private void change(NameChange change) {
    change.applyTo(names);
    unsyncedNames.add(change);
  }

  private Inode inode(String name) {
    Inode inode = names.get(name);
    if (inode == null) {
      throw new IllegalArgumentException(name);
    }
    return inode;
  }

  @Override
  public Closeable lock() throws IOException {
    if (locked) {
      throw new JournalException("in use");
    }
    locked = true;
    return () -> locked = false;
  }

  @Override
  public boolean exists(String name) {
    return names.containsKey(name);
  }

  @Override
  public OpenFile create(String name) throws IOException {
    operate("create");
    if (exists(name)) {
      throw new IOException(name + " exists");
    }
    Inode inode = new Inode();
    change(map -> map.put(name, inode));
    return new File(inode);
  }

  @Override
  public OpenFile open(String name) throws IOException {
    if (!exists(name)) {
      throw new FileNotFoundException(name);
    }
    return new File(inode(name));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    operate("rename");
    Inode inode = inode(from);
    change(
        map -> {
          map.remove(from);
          map.put(to, inode);
        });
  }

  @Override
  public void deleteIfExists(String name) throws IOException {
    operate("delete");
    if (exists(name)) {
      change(map -> map.remove(name));
    }
  }

  @Override
  public void syncDirectory() throws IOException {
    operate("syncDirectory");
    unsyncedNames.forEach(change -> change.applyTo(durableNames));
    unsyncedNames.clear();
  }

  @Override
  public String directory() {
    return "disk";
  }

  private final class File implements OpenFile {
    private final Inode inode;

    File(Inode inode) {
      this.inode = inode;
    }

    @Override
    public long length() {
      return inode.seen.length;
    }

    @Override
    public int read(ByteBuffer into, long offset) {
      int count = (int) Math.min(into.remaining(), inode.seen.length - offset);
      into.put(inode.seen, (int) offset, count);
      return count == 0 ? -1 : count;
    }

    @Override
    public void write(ByteBuffer bytes, long offset) throws IOException {
      operate("write");
      byte[] copy = new byte[bytes.remaining()];
      bytes.get(copy);
      inode.seen = written(inode.seen, (int) offset, copy);
      inode.unsynced.add(new Write((int) offset, copy));
    }

    @Override
    public void force() throws IOException {
      try {
        operate("force");
        inode.unsynced.forEach(
            write -> inode.durable = written(inode.durable, write.offset, write.bytes));
        inode.unsynced.clear();
      } catch (IOException e) {
        // As Linux does: the pages stay in memory and pass for written (Rebello et al. 2020).
        inode.unsynced.clear();
        throw e;
      }
    }

    @Override
    public void close() {}
  }
}
