package io.testudo.client.inquiry;

import com.google.common.collect.ImmutableList;
import io.testudo.client.inquiry.proto.AskStatusMessage;
import io.testudo.client.inquiry.proto.ClearReportsMessage;
import io.testudo.client.inquiry.proto.ReportPart;
import io.testudo.client.inquiry.proto.ReportSuspectsMessage;
import io.testudo.client.inquiry.proto.ServerStatusMessage;
import io.testudo.client.inquiry.proto.SuspectPart;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
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

  public static final WireType<AskStatus> ASK_STATUS =
      WireType.of(
          92,
          AskStatus.class,
          NUMBERS_BYTES,
          it -> AskStatusMessage.newBuilder().setNonce(it.nonce()).build(),
          AskStatusMessage.parser(),
          proto -> new AskStatus(proto.getNonce()));

  public static final WireType<ServerStatus> SERVER_STATUS =
      WireType.of(
          93,
          ServerStatus.class,
          STATUS_BYTES,
          InquiryTypes::toProto,
          ServerStatusMessage.parser(),
          proto ->
              new ServerStatus(
                  proto.getNonce(),
                  new ServerId(proto.getServer()),
                  proto.getVersion(),
                  proto.getSettings(),
                  proto.getUptimeMillis(),
                  proto.getWallMillis(),
                  proto.getReportsList().stream()
                      .map(InquiryTypes::report)
                      .collect(ImmutableList.toImmutableList())));

  public static final WireType<ReportSuspects> REPORT_SUSPECTS =
      WireType.of(
          94,
          ReportSuspects.class,
          ReportSuspects.MAX_SUSPECTS * SUSPECT_BYTES,
          InquiryTypes::toProto,
          ReportSuspectsMessage.parser(),
          proto ->
              new ReportSuspects(
                  proto.getSuspectsList().stream()
                      .map(InquiryTypes::suspect)
                      .collect(ImmutableList.toImmutableList())));

  public static final WireType<ClearReports> CLEAR_REPORTS =
      WireType.of(
          95,
          ClearReports.class,
          NUMBERS_BYTES,
          it ->
              ClearReportsMessage.newBuilder()
                  .setNonce(it.nonce())
                  .setServer(it.server().index())
                  .build(),
          ClearReportsMessage.parser(),
          proto -> new ClearReports(proto.getNonce(), new ServerId(proto.getServer())));

  public static final WireTypes ALL =
      WireTypes.of(ASK_STATUS, SERVER_STATUS, REPORT_SUSPECTS, CLEAR_REPORTS);

  private InquiryTypes() {}

  private static ServerStatusMessage toProto(ServerStatus status) {
    ServerStatusMessage.Builder proto =
        ServerStatusMessage.newBuilder()
            .setNonce(status.nonce())
            .setServer(status.server().index())
            .setVersion(status.version())
            .setSettings(status.settings())
            .setUptimeMillis(status.uptimeMillis())
            .setWallMillis(status.wallMillis());
    for (Report report : status.reports()) {
      proto.addReports(
          ReportPart.newBuilder()
              .setReporter(report.reporter())
              .setSuspect(toProto(report.suspect()))
              .setLastWallMillis(report.lastWallMillis()));
    }
    return proto.build();
  }

  private static ReportSuspectsMessage toProto(ReportSuspects report) {
    ReportSuspectsMessage.Builder proto = ReportSuspectsMessage.newBuilder();
    report.suspects().forEach(suspect -> proto.addSuspects(toProto(suspect)));
    return proto.build();
  }

  private static SuspectPart toProto(Suspect suspect) {
    return SuspectPart.newBuilder()
        .setServer(suspect.server().index())
        .setKind(suspect.kind().number())
        .setDetail(suspect.detail())
        .setCount(suspect.count())
        .build();
  }

  private static Suspect suspect(SuspectPart proto) {
    return new Suspect(
        new ServerId(proto.getServer()),
        Suspect.Kind.ofNumber(proto.getKind()),
        proto.getDetail(),
        proto.getCount());
  }

  private static Report report(ReportPart proto) {
    return new Report(
        new ClientId(proto.getReporter(), 0, 0).principal(),
        suspect(proto.getSuspect()),
        proto.getLastWallMillis());
  }
}
