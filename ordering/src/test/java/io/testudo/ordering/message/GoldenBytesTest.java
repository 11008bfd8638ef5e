package io.testudo.ordering.message;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedSet;
import io.testudo.crypto.Digest;
import io.testudo.crypto.Seal;
import io.testudo.crypto.SealContext;
import io.testudo.crypto.SealKind;
import io.testudo.crypto.Sealer;
import io.testudo.crypto.SecretBytes;
import io.testudo.ordering.log.CommitKept;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.EntryBody;
import io.testudo.ordering.log.EntryKept;
import io.testudo.ordering.log.EpochKept;
import io.testudo.ordering.log.LogSnapshot;
import io.testudo.ordering.log.MakerKept;
import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.ProposalKept;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.RankKept;
import io.testudo.ordering.log.SnapshotBody;
import io.testudo.ordering.log.SnapshotKept;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.junit.GoldenBytes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

class GoldenBytesTest extends GoldenBytes {
  private static final Optional<Seal> SEAL =
      Optional.of(
          Sealer.hmac(
                  SecretBytes.copyOf(
                      "a key of thirty-two ascii letters"
                          .substring(0, 32)
                          .getBytes(StandardCharsets.US_ASCII)))
              .seal(new SealContext(SealKind.RANK, "prod", "account"), new byte[] {1}));

  private static final StateId STATE = new StateId(300, Digest.of(new byte[] {1}));
  private static final Rank RANK = new Rank(1L << 60, -7);
  private static final Statement STATEMENT = new Statement(RANK, STATE, SEAL);
  private static final SubmittedOperation OPERATION =
      new SubmittedOperation(new OpId(-9, 3), 2, Bytes.utf8("+5"), SEAL);
  private static final Entry ENTRY =
      new Entry(
          301,
          STATE.link(),
          new EntryBody(
                  ImmutableList.of(new EntryBody.Done(-9, 3, 2, Bytes.utf8("5"), Bytes.utf8("+5"))),
                  Optional.of(STATE.link()))
              .toBytes());
  private static final LogSnapshot BASE =
      new LogSnapshot(
          STATEMENT,
          new SnapshotBody(
                  ImmutableList.of(
                      new SnapshotBody.SessionRow(
                          -9,
                          2,
                          3,
                          ImmutableList.of(new SnapshotBody.ResultRow(3, 300, Bytes.utf8("5"))),
                          1)),
                  Bytes.utf8("whole"),
                  7)
              .toBytes());
  private static final MemoryEpoch EPOCH = new MemoryEpoch(new ServerId(3), 1L << 60);

  private static final ImmutableMap<String, Object> SAMPLES =
      ImmutableMap.<String, Object>builder()
          .put("Submit", new Submit("account", OPERATION))
          .put(
              "Get",
              new Get(
                  "account",
                  -1,
                  RANK,
                  SEAL,
                  Optional.of(STATE),
                  true,
                  List.of(EPOCH),
                  Optional.of(RANK)))
          .put(
              "Propose",
              new Propose("account", STATEMENT, SEAL, List.of(ENTRY), Optional.of(STATEMENT)))
          .put("Commit", new Commit("account", STATEMENT, SEAL))
          .put("Fetch", new Fetch("account", STATE, STATE))
          .put("InstallSnapshot", new InstallSnapshot("account", BASE))
          .put(
              "Report",
              new Report(
                  "account",
                  -1,
                  Optional.of(STATEMENT),
                  Optional.of(STATEMENT),
                  List.of(OPERATION),
                  List.of(ENTRY),
                  1,
                  List.of(EPOCH)))
          .put(
              "Accepted",
              new Accepted("account", RANK, 300, Accepted.Stage.COMMITTED, List.of(OPERATION), 1))
          .put("Superseded", new Superseded("account", RANK, RANK, SEAL))
          .put("Missing", new Missing("account", RANK, STATE, STATE))
          .put("Bodies", new Bodies("account", STATE, true, Optional.of(BASE), List.of(ENTRY)))
          .put(
              "Answered",
              new Answered("account", OPERATION.id(), 300, Optional.of(Bytes.utf8("result"))))
          .put("Busy", new Busy("account", RANK, Busy.Lack.BYTES, Optional.of(RANK)))
          .put("EndTenure", new EndTenure("account", RANK))
          .put("Relayed", new Relayed("account", RANK, List.of(OPERATION)))
          .put(
              "Included",
              new Included("account", OPERATION.id(), RANK, STATE, Bytes.utf8("result")))
          .put("Unattended", new Unattended("account"))
          .put("WatchObject", new WatchObject("account", 300))
          .put("Changed", new Changed("account", 300))
          .put("WatchPrefix", new WatchPrefix("acc", 300))
          .put(
              "PrefixChanges",
              new PrefixChanges(
                  "acc", 300, true, List.of(new ObjectList.Item("account", 300, 3, 4096, true))))
          .put("Expired", new Expired("account", OPERATION.id(), 300))
          .put("Absent", new Absent("account", RANK, EPOCH.epoch()))
          .put("Restore", new Restore("account", RANK, SEAL, EPOCH.epoch(), List.of(EPOCH)))
          .put("ListObjects", new ListObjects(-1, "acc", "accounts/a"))
          .put("ObjectList", new ObjectList(-1, List.of(new ObjectList.Item("account", 300)), true))
          .put("Enrolled", new Enrolled(EPOCH.epoch(), true, ImmutableSortedSet.of("account")))
          .put("AskMemory", new AskMemory(-1, List.of(EPOCH), "account"))
          .put(
              "MemoryPage",
              new MemoryPage(
                  -1,
                  EPOCH.epoch(),
                  true,
                  300,
                  List.of(EPOCH),
                  List.of(new MemoryPage.Name("account", true)),
                  true))
          .put(
              "CompleteMemory",
              new CompleteMemory(
                  -1, EPOCH.epoch(), List.of(EPOCH), ImmutableSortedSet.of("account", "b")))
          .put("MakerKept", new MakerKept("account", "alice"))
          .put("EpochKept", new EpochKept("account", EPOCH))
          .put("RankKept", new RankKept("account", RANK, SEAL))
          .put("EntryKept", new EntryKept("account", ENTRY))
          .put("ProposalKept", new ProposalKept("account", STATEMENT))
          .put("CommitKept", new CommitKept("account", STATEMENT))
          .put("SnapshotKept", new SnapshotKept("account", BASE))
          .buildOrThrow();

  GoldenBytesTest() {
    super(OrderingTypes.ALL, "golden/v1/ordering.txt", SAMPLES);
  }
}
