package io.testudo.client.inquiry;

import static io.testudo.quorum.wire.Field.fixed64;
import static io.testudo.quorum.wire.Field.message;
import static io.testudo.quorum.wire.Field.repeated;
import static io.testudo.quorum.wire.Field.string;
import static io.testudo.quorum.wire.Field.uint32;
import static io.testudo.quorum.wire.Field.uint64;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.wire.Schema;
import io.testudo.quorum.wire.WireType;
import io.testudo.quorum.wire.WireTypes;

/** Status and reports on the wire. Numbers are permanent. */
public final class InquiryTypes {
  private static final int NUMBERS_BYTES = 64;

  /** A character takes up to three bytes. */
  private static final int SUSPECT_BYTES = 3 * Suspect.MAX_DETAIL + NUMBERS_BYTES;

  private static final int REPORT_BYTES =
      SUSPECT_BYTES + ClientId.MAX_PRINCIPAL_LENGTH + NUMBERS_BYTES;
  private static final int STATUS_BYTES =
      ServerStatus.MAX_REPORTS * REPORT_BYTES + 2 * 3 * ServerStatus.MAX_TEXT + NUMBERS_BYTES;

  private static final Schema<Suspect> SUSPECT =
      Schema.of(
          uint32(1, it -> it.server().index(), ServerId::new),
          uint32(2, it -> it.kind().number(), Suspect.Kind::ofNumber),
          string(3, Suspect::detail),
          uint64(4, Suspect::count),
          Suspect::new);

  private static final Schema<SuspectReport> REPORT =
      Schema.of(
          string(1, SuspectReport::reporter, InquiryTypes::principal),
          message(2, SuspectReport::suspect, SUSPECT),
          uint64(3, SuspectReport::lastWallMillis),
          SuspectReport::new);

  public static final WireType<AskStatus> ASK_STATUS =
      WireType.of(
          92,
          AskStatus.class,
          NUMBERS_BYTES,
          Schema.of(fixed64(1, AskStatus::nonce), AskStatus::new));

  public static final WireType<ServerStatus> SERVER_STATUS =
      WireType.of(
          93,
          ServerStatus.class,
          STATUS_BYTES,
          Schema.of(
              fixed64(1, ServerStatus::nonce),
              uint32(2, it -> it.server().index(), ServerId::new),
              string(3, ServerStatus::version),
              string(4, ServerStatus::settings),
              uint64(5, ServerStatus::uptimeMillis),
              uint64(6, ServerStatus::wallMillis),
              repeated(7, ServerStatus::reports, REPORT),
              ServerStatus::new));

  public static final WireType<ReportSuspects> REPORT_SUSPECTS =
      WireType.of(
          94,
          ReportSuspects.class,
          ReportSuspects.MAX_SUSPECTS * SUSPECT_BYTES,
          Schema.of(repeated(1, ReportSuspects::suspects, SUSPECT), ReportSuspects::new));

  public static final WireType<ClearReports> CLEAR_REPORTS =
      WireType.of(
          95,
          ClearReports.class,
          NUMBERS_BYTES,
          Schema.of(
              fixed64(1, ClearReports::nonce),
              uint32(2, it -> it.server().index(), ServerId::new),
              ClearReports::new));

  public static final WireTypes ALL =
      WireTypes.of(ASK_STATUS, SERVER_STATUS, REPORT_SUSPECTS, CLEAR_REPORTS);

  private InquiryTypes() {}

  /** Refuses a text that no client can have as its name. */
  private static String principal(String text) {
    return new ClientId(text, 0, 0).principal();
  }
}
