package io.testudo.quorum.journal;

import static io.testudo.quorum.journal.Script.IDENTITY;
import static io.testudo.quorum.journal.Script.bytes;
import static io.testudo.quorum.journal.Script.texts;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What became of a log after it was written. */
class DamageTest {
  private static final int HEADER_BYTES = LogHeader.bytesFor(IDENTITY);
  private static final JournalOptions OPTIONS = JournalOptions.defaults();

  /** A log with a snapshot and records behind it, in groups; all of it synced. */
  private static FaultDisk written(boolean settled) throws Exception {
    FaultDisk disk = new FaultDisk();
    LogStore.create(disk, IDENTITY);
    FileJournal journal = open(disk);
    journal.replaceAll(bytes(List.of("snapshot a", "snapshot b")));
    for (String record : List.of("first", "", "third", "fourth")) {
      journal.append(record.getBytes(UTF_8));
      journal.whenDurable(() -> {});
      journal.commitPending();
    }
    if (settled) {
      journal.settle();
    }
    return disk;
  }

  private static final List<String> RECORDS =
      List.of("snapshot a", "snapshot b", "first", "", "third", "fourth");

  private static FileJournal open(FaultDisk disk) throws Exception {
    return FileJournal.openIdle(disk, IDENTITY, Runnable::run, OPTIONS);
  }

  private static byte[] log(FaultDisk disk) {
    return disk.bytesOf(LogStore.LOG);
  }

  /** A log that a pause of the server has settled. */
  private static byte[] settledLog() throws Exception {
    return log(written(true));
  }

  /** The records of such a file, or nothing if it is refused. */
  private static Optional<List<String>> read(byte[] log) throws Exception {
    FaultDisk disk = new FaultDisk();
    disk.put(LogStore.LOG, log);
    try {
      return Optional.of(texts(open(disk).recover()));
    } catch (JournalException e) {
      assertThat(disk.operations()).as("nothing is changed on a disk that is refused").isEmpty();
      return Optional.empty();
    }
  }

  @Test
  void refusesASettledLogWithAnyBitOfARecordFlipped() throws Exception {
    byte[] log = settledLog();
    int sealAt = log.length - EntryHead.BYTES;
    for (int at = 0; at < log.length; at++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] damaged = log.clone();
        damaged[at] ^= (byte) (1 << bit);
        Optional<List<String>> found = read(damaged);
        if (at < sealAt) {
          assertThat(found).as("byte %s, bit %s", at, bit).isEmpty();
        } else {
          assertThat(found).as("byte %s, bit %s", at, bit).contains(RECORDS);
        }
      }
    }
  }

  @Test
  void refusesASettledLogWithAnySectorLost() throws Exception {
    byte[] log = settledLog();
    int sealAt = log.length - EntryHead.BYTES;
    for (int from = 0; from + FaultDisk.SECTOR_BYTES <= sealAt; from++) {
      byte[] damaged = log.clone();
      Arrays.fill(damaged, from, from + FaultDisk.SECTOR_BYTES, (byte) 0);
      if (!Arrays.equals(damaged, log)) {
        assertThat(read(damaged)).as("from byte %s", from).isEmpty();
      }
    }
  }

  @Test
  void neverInventsWhenASyncedLogIsFlippedThatNothingClaimsYet() throws Exception {
    byte[] log = log(written(false));
    for (int at = 0; at < log.length; at++) {
      byte[] damaged = log.clone();
      damaged[at] ^= 0x20;
      read(damaged)
          .ifPresent(found -> assertThat(found).isEqualTo(RECORDS.subList(0, RECORDS.size() - 1)));
    }
  }

  @Test
  void saysWhereTheDamageIsAndWhatToDo() throws Exception {
    FaultDisk disk = new FaultDisk();
    byte[] log = settledLog();
    int secondEntry = HEADER_BYTES + EntryHead.BYTES + "snapshot a".length();
    log[secondEntry + EntryHead.BYTES] ^= 1;
    disk.put(LogStore.LOG, log);
    assertThatThrownBy(() -> open(disk))
        .isInstanceOfSatisfying(
            JournalDamagedException.class, e -> assertThat(e.offsetBytes()).isEqualTo(secondEntry))
        .hasMessageContaining("disk/journal.log is damaged at byte " + secondEntry)
        .hasMessageContaining("re-admit the server");
  }

  @Test
  void refusesALogFromWhichAnEntryIsMissing() throws Exception {
    byte[] log = log(written(false));
    int firstEnd = HEADER_BYTES + EntryHead.BYTES + "snapshot a".length();
    byte[] without = new byte[log.length - (firstEnd - HEADER_BYTES)];
    System.arraycopy(log, 0, without, 0, HEADER_BYTES);
    System.arraycopy(log, firstEnd, without, HEADER_BYTES, log.length - firstEnd);
    FaultDisk disk = new FaultDisk();
    disk.put(LogStore.LOG, without);
    assertThatThrownBy(() -> open(disk))
        .isInstanceOf(JournalDamagedException.class)
        .hasMessageContaining("entry 2 stands where 1 belongs");
  }

  @Test
  void refusesAFileCutWithinItsSnapshot() throws Exception {
    byte[] log = log(written(false));
    int snapshotEnd = HEADER_BYTES + 2 * (EntryHead.BYTES + "snapshot a".length());
    for (int length = 0; length < snapshotEnd; length++) {
      assertThat(read(Arrays.copyOf(log, length))).as("%s bytes", length).isEmpty();
    }
    assertThat(read(Arrays.copyOf(log, snapshotEnd))).contains(RECORDS.subList(0, 2));
  }

  @Test
  void refusesALengthBeyondTheLimitBeforeItTakesMemory() {
    ByteBuffer head = ByteBuffer.allocate(EntryHead.BYTES);
    new EntryHead(EntryHead.Kind.RECORD, 1, 0, FileJournal.MAX_RECORD_BYTES + 1, 0).encode(7, head);
    assertThat(EntryHead.decode(7, head, 0)).isNull();
    head.clear();
    new EntryHead(EntryHead.Kind.RECORD, 1, 0, FileJournal.MAX_RECORD_BYTES, 0).encode(7, head);
    assertThat(EntryHead.decode(7, head, 0)).isNotNull();
  }

  @Test
  void takesNoBytesOfARecordForAClaim() throws Exception {
    FaultDisk disk = new FaultDisk();
    LogStore.create(disk, IDENTITY);
    FileJournal journal = open(disk);
    long mark = ByteBuffer.wrap(log(disk)).getLong(16);
    journal.append("kept".getBytes(UTF_8));
    journal.commitPending();
    int tornAt = log(disk).length;
    ByteBuffer planted = ByteBuffer.allocate(EntryHead.BYTES);
    new EntryHead(EntryHead.Kind.SEAL, 9, tornAt + 1, 0, 0).encode(mark + 1, planted);
    journal.append("torn".getBytes(UTF_8));
    journal.append(planted.array());
    journal.commitPending();
    byte[] log = log(disk);
    log[tornAt] ^= 1;
    assertThat(read(log)).contains(List.of("kept"));
  }

  @Test
  void keepsTheFormatOfVersionOne() throws Exception {
    FaultDisk disk = new FaultDisk();
    LogFile log =
        LogFile.begin(
            disk.create("golden"),
            "me".getBytes(UTF_8),
            0x0102030405060708L,
            bytes(List.of("old")),
            JournalOptions.Survives.POWER_LOSS);
    log.append("new".getBytes(UTF_8));
    log.settle();
    String golden =
        "54455354 55444f4a 00000001 00000002 0102030405060708 000000000000004e 6d65 f805c0ee"
            + "0102030405060708 01 0000000000000001 0000000000000000 00000003 ffba0104 de0dadeb 6f6c64"
            + "0102030405060708 01 0000000000000002 000000000000004e 00000003 d743fc2e cae3021b 6e6577"
            + "0102030405060708 02 0000000000000003 0000000000000076 00000000 00000000 b7ee1687";
    assertThat(HexFormat.of().formatHex(disk.bytesOf("golden"))).isEqualTo(golden.replace(" ", ""));
  }
}
