package io.testudo.quorum.journal;

import static com.google.common.base.Preconditions.checkState;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What the loop has asked and the writer has not done yet. It holds a bounded number of bytes: a
 * loop that is ahead of the disk by more waits.
 */
final class TaskQueue {
  /** The writer settles the log when it had nothing to do for so long. */
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final long maxBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Condition freed = lock.newCondition();
  private List<Task> tasks = new ArrayList<>();

  /** Of the tasks in the queue and of those under way. */
  private long bytes;

  private boolean restful;
  private boolean closed;
  private boolean broken;

  /** Why the writer wakes up. */
  enum Wake {
    WORK,
    IDLE,
    CLOSED
  }

  /** Tasks that are done together. */
  record Group(List<Task> tasks, long bytes) {}

  TaskQueue(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  void add(Task task) {
    long more = task.pendingBytes();
    lock.lock();
    try {
      // One task alone is always let in, however long it is.
      while (bytes > 0 && bytes + more > maxBytes && !broken) {
        freed.awaitUninterruptibly();
      }
      checkState(!closed, "the journal is closed");
      if (broken) {
        return;
      }
      tasks.add(task);
      bytes += more;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for work, the end, or a first pause after work. */
  Wake await() throws InterruptedException {
    lock.lock();
    try {
      long leftNanos = IDLE_NANOS;
      while (tasks.isEmpty() && !closed) {
        if (restful) {
          changed.awaitUninterruptibly();
        } else if (leftNanos <= 0) {
          restful = true;
          return Wake.IDLE;
        } else {
          leftNanos = changed.awaitNanos(leftNanos);
        }
      }
      return closed ? Wake.CLOSED : Wake.WORK;
    } finally {
      lock.unlock();
    }
  }

  /** All that waits. */
  Group take() {
    lock.lock();
    try {
      Group group = new Group(tasks, tasks.stream().mapToLong(Task::pendingBytes).sum());
      tasks = new ArrayList<>();
      restful = false;
      return group;
    } finally {
      lock.unlock();
    }
  }

  /** These tasks are done. */
  void done(Group group) {
    lock.lock();
    try {
      bytes -= group.bytes();
      freed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Nothing comes in any more; says whether this was the first call. */
  boolean close() {
    lock.lock();
    try {
      boolean first = !closed;
      closed = true;
      changed.signal();
      freed.signalAll();
      return first;
    } finally {
      lock.unlock();
    }
  }

  /** The disk has failed: tasks are swallowed from now on, and nobody waits for room. */
  void breakOff() {
    lock.lock();
    try {
      broken = true;
      freed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isBroken() {
    lock.lock();
    try {
      return broken;
    } finally {
      lock.unlock();
    }
  }
}
