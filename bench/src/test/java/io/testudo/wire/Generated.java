package io.testudo.wire;

import com.google.common.collect.ImmutableMap;
import com.google.protobuf.Message;
import io.testudo.client.inquiry.proto.AskStatusMessage;
import io.testudo.client.inquiry.proto.ClearReportsMessage;
import io.testudo.client.inquiry.proto.ReportSuspectsMessage;
import io.testudo.client.inquiry.proto.ServerStatusMessage;
import io.testudo.mutex.backoff.proto.AskCeilingsMessage;
import io.testudo.mutex.backoff.proto.CeilingsKnownRecord;
import io.testudo.mutex.backoff.proto.CeilingsMessage;
import io.testudo.mutex.backoff.proto.FreeMessage;
import io.testudo.mutex.backoff.proto.LockedMessage;
import io.testudo.mutex.backoff.proto.LongestLeaseRecord;
import io.testudo.mutex.backoff.proto.NameCeilingPart;
import io.testudo.mutex.backoff.proto.RankCeilingRecord;
import io.testudo.mutex.backoff.proto.RefusedMessage;
import io.testudo.mutex.backoff.proto.ReleaseMessage;
import io.testudo.mutex.backoff.proto.RenewMessage;
import io.testudo.mutex.backoff.proto.StaleMessage;
import io.testudo.mutex.backoff.proto.TakeCeilingsMessage;
import io.testudo.mutex.backoff.proto.TryMessage;
import io.testudo.mutex.protocol.proto.ListLocksMessage;
import io.testudo.mutex.protocol.proto.LockListMessage;
import io.testudo.mutex.sigma.proto.CheckMessage;
import io.testudo.mutex.sigma.proto.ConfirmMessage;
import io.testudo.mutex.sigma.proto.InquiryMessage;
import io.testudo.mutex.sigma.proto.LeaveMessage;
import io.testudo.mutex.sigma.proto.RequestMessage;
import io.testudo.mutex.sigma.proto.ResponseMessage;
import io.testudo.mutex.sigma.proto.YieldMessage;
import io.testudo.ordering.protocol.proto.AbsentMessage;
import io.testudo.ordering.protocol.proto.AcceptedMessage;
import io.testudo.ordering.protocol.proto.AnsweredMessage;
import io.testudo.ordering.protocol.proto.AskMemoryMessage;
import io.testudo.ordering.protocol.proto.BaseRecord;
import io.testudo.ordering.protocol.proto.BodiesMessage;
import io.testudo.ordering.protocol.proto.BusyMessage;
import io.testudo.ordering.protocol.proto.CommitMessage;
import io.testudo.ordering.protocol.proto.CompleteMemoryMessage;
import io.testudo.ordering.protocol.proto.EnrolledRecord;
import io.testudo.ordering.protocol.proto.EntryRecord;
import io.testudo.ordering.protocol.proto.EpochRecord;
import io.testudo.ordering.protocol.proto.FetchMessage;
import io.testudo.ordering.protocol.proto.GetMessage;
import io.testudo.ordering.protocol.proto.ListObjectsMessage;
import io.testudo.ordering.protocol.proto.MakerRecord;
import io.testudo.ordering.protocol.proto.MemoryPageMessage;
import io.testudo.ordering.protocol.proto.MissingMessage;
import io.testudo.ordering.protocol.proto.ObjectListMessage;
import io.testudo.ordering.protocol.proto.PastMessage;
import io.testudo.ordering.protocol.proto.ProposeMessage;
import io.testudo.ordering.protocol.proto.RankRecord;
import io.testudo.ordering.protocol.proto.RebaseMessage;
import io.testudo.ordering.protocol.proto.ReportMessage;
import io.testudo.ordering.protocol.proto.RestoreMessage;
import io.testudo.ordering.protocol.proto.StatementRecord;
import io.testudo.ordering.protocol.proto.SubmitMessage;
import io.testudo.ordering.protocol.proto.SupersededMessage;
import io.testudo.ordering.protocol.proto.UnattendedMessage;
import io.testudo.quorum.cluster.proto.NoRightMessage;
import io.testudo.quorum.ping.proto.IncarnatedRecord;
import io.testudo.quorum.ping.proto.PardonMessage;
import io.testudo.quorum.ping.proto.PingMessage;
import io.testudo.quorum.ping.proto.PongMessage;
import io.testudo.quorum.ping.proto.WitnessedRecord;
import io.testudo.quorum.wire.WireType;
import java.util.Objects;

/** The classes that protoc generates of the published schemas, by the numbers of their types. */
final class Generated {
  private static final ImmutableMap<Integer, Message> EMPTY =
      ImmutableMap.<Integer, Message>builder()
          .put(1, PingMessage.getDefaultInstance())
          .put(2, PongMessage.getDefaultInstance())
          .put(3, IncarnatedRecord.getDefaultInstance())
          .put(4, WitnessedRecord.getDefaultInstance())
          .put(5, PardonMessage.getDefaultInstance())
          .put(104, NoRightMessage.getDefaultInstance())
          .put(88, ListLocksMessage.getDefaultInstance())
          .put(89, LockListMessage.getDefaultInstance())
          .put(16, TryMessage.getDefaultInstance())
          .put(17, RenewMessage.getDefaultInstance())
          .put(18, ReleaseMessage.getDefaultInstance())
          .put(19, FreeMessage.getDefaultInstance())
          .put(20, LockedMessage.getDefaultInstance())
          .put(21, StaleMessage.getDefaultInstance())
          .put(22, RefusedMessage.getDefaultInstance())
          .put(23, RankCeilingRecord.getDefaultInstance())
          .put(24, LongestLeaseRecord.getDefaultInstance())
          .put(25, NameCeilingPart.getDefaultInstance())
          .put(26, CeilingsKnownRecord.getDefaultInstance())
          .put(27, AskCeilingsMessage.getDefaultInstance())
          .put(28, CeilingsMessage.getDefaultInstance())
          .put(29, TakeCeilingsMessage.getDefaultInstance())
          .put(32, RequestMessage.getDefaultInstance())
          .put(33, YieldMessage.getDefaultInstance())
          .put(34, LeaveMessage.getDefaultInstance())
          .put(35, InquiryMessage.getDefaultInstance())
          .put(36, ConfirmMessage.getDefaultInstance())
          .put(37, ResponseMessage.getDefaultInstance())
          .put(38, CheckMessage.getDefaultInstance())
          .put(39, io.testudo.mutex.sigma.proto.RefusedMessage.getDefaultInstance())
          .put(48, SubmitMessage.getDefaultInstance())
          .put(49, GetMessage.getDefaultInstance())
          .put(50, ProposeMessage.getDefaultInstance())
          .put(51, CommitMessage.getDefaultInstance())
          .put(52, FetchMessage.getDefaultInstance())
          .put(53, RebaseMessage.getDefaultInstance())
          .put(54, RestoreMessage.getDefaultInstance())
          .put(56, ReportMessage.getDefaultInstance())
          .put(57, AcceptedMessage.getDefaultInstance())
          .put(58, SupersededMessage.getDefaultInstance())
          .put(59, MissingMessage.getDefaultInstance())
          .put(60, BodiesMessage.getDefaultInstance())
          .put(61, AnsweredMessage.getDefaultInstance())
          .put(62, BusyMessage.getDefaultInstance())
          .put(63, UnattendedMessage.getDefaultInstance())
          .put(64, RankRecord.getDefaultInstance())
          .put(65, EntryRecord.getDefaultInstance())
          .put(66, StatementRecord.getDefaultInstance())
          .put(67, StatementRecord.getDefaultInstance())
          .put(68, BaseRecord.getDefaultInstance())
          .put(69, EnrolledRecord.getDefaultInstance())
          .put(70, AbsentMessage.getDefaultInstance())
          .put(71, ListObjectsMessage.getDefaultInstance())
          .put(72, ObjectListMessage.getDefaultInstance())
          .put(73, PastMessage.getDefaultInstance())
          .put(74, EpochRecord.getDefaultInstance())
          .put(75, AskMemoryMessage.getDefaultInstance())
          .put(76, MemoryPageMessage.getDefaultInstance())
          .put(77, CompleteMemoryMessage.getDefaultInstance())
          .put(78, MakerRecord.getDefaultInstance())
          .put(92, AskStatusMessage.getDefaultInstance())
          .put(93, ServerStatusMessage.getDefaultInstance())
          .put(94, ReportSuspectsMessage.getDefaultInstance())
          .put(95, ClearReportsMessage.getDefaultInstance())
          .buildOrThrow();

  private Generated() {}

  /** One without fields. */
  static Message of(WireType<?> type) {
    return Objects.requireNonNull(EMPTY.get(type.number()), () -> type + " has no schema");
  }
}
