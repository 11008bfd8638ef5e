package io.testudo.ordering.message;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableSortedSet.toImmutableSortedSet;
import static io.testudo.quorum.wire.Field.bool;
import static io.testudo.quorum.wire.Field.bytes;
import static io.testudo.quorum.wire.Field.digest;
import static io.testudo.quorum.wire.Field.fixed64;
import static io.testudo.quorum.wire.Field.inline;
import static io.testudo.quorum.wire.Field.message;
import static io.testudo.quorum.wire.Field.repeated;
import static io.testudo.quorum.wire.Field.seal;
import static io.testudo.quorum.wire.Field.string;
import static io.testudo.quorum.wire.Field.strings;
import static io.testudo.quorum.wire.Field.uint32;
import static io.testudo.quorum.wire.Field.uint64;
import static java.util.Comparator.naturalOrder;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import io.testudo.ordering.ObjectLimits;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.EntryBody;
import io.testudo.ordering.log.LogSnapshot;
import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.SnapshotBody;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.wire.Field;
import io.testudo.quorum.wire.Schema;
import java.util.List;
import java.util.function.Function;

/** The parts of messages and records. */
final class Parts {
  static final Schema<Rank> RANK =
      Schema.of(uint64(1, Rank::time), fixed64(2, Rank::session), Rank::new);

  static final Schema<StateId> STATE =
      Schema.of(uint64(1, StateId::version), digest(2, StateId::link), StateId::new);

  static final Schema<Statement> STATEMENT =
      Schema.of(
          message(1, Statement::rank, RANK),
          message(2, Statement::state, STATE),
          seal(3, Statement::seal),
          Statement::new);

  static final Schema<SubmittedOperation> OPERATION =
      Schema.of(
          inline(SubmittedOperation::id, id(1, 2)),
          uint64(3, SubmittedOperation::floor),
          bytes(4, SubmittedOperation::body),
          seal(5, SubmittedOperation::seal),
          SubmittedOperation::new);

  /** One whose body makes no sense is malformed: what is kept here everybody has to read. */
  static final Schema<Entry> ENTRY =
      Schema.of(
          uint64(1, Entry::version),
          digest(2, Entry::parent),
          bytes(3, Entry::body).as(EntryBody::check),
          Entry::new);

  static final Schema<LogSnapshot> BASE =
      Schema.of(
          message(1, LogSnapshot::commit, STATEMENT),
          bytes(2, LogSnapshot::body).as(SnapshotBody::check),
          LogSnapshot::new);

  static final Schema<MemoryEpoch> EPOCH =
      Schema.of(
          uint32(1, it -> it.server().index(), ServerId::new),
          uint64(2, MemoryEpoch::epoch),
          MemoryEpoch::new);

  static final Schema<ObjectList.Item> ITEM =
      Schema.of(
          name(1, ObjectList.Item::object),
          uint64(2, ObjectList.Item::version),
          uint32(3, ObjectList.Item::type),
          uint64(4, ObjectList.Item::bytes),
          bool(5, ObjectList.Item::isAbsent),
          ObjectList.Item::new);

  private Parts() {}

  /** The two fields that name an operation. */
  static Schema<OpId> id(int session, int sequence) {
    return Schema.of(fixed64(session, OpId::session), uint64(sequence, OpId::sequence), OpId::new);
  }

  /** Names that are longer than records can hold are malformed, and so is none. */
  static <T> Field<T, String> name(int number, Function<T, String> get) {
    return string(number, get, ObjectLimits::checkName);
  }

  static <T> Field<T, ImmutableSortedSet<String>> names(
      int number, Function<T, ImmutableSortedSet<String>> get) {
    return strings(number, get)
        .as(
            names ->
                names.stream()
                    .map(ObjectLimits::checkName)
                    .collect(toImmutableSortedSet(naturalOrder())));
  }

  /** No list can be longer than a cluster: there is one epoch of each server. */
  static <T> Field<T, ImmutableList<MemoryEpoch>> epochs(
      int number, Function<T, List<MemoryEpoch>> get) {
    return repeated(number, get, EPOCH)
        .as(
            epochs -> {
              int count = epochs.size();
              checkArgument(count <= ServerId.MAX_SERVERS, "%s epochs are too many", count);
              return epochs;
            });
  }
}
