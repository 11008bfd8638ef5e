package io.testudo.client.inquiry;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.junit.GoldenBytes;
import io.testudo.quorum.protocol.Message;

class GoldenBytesTest extends GoldenBytes {
  private static final Suspect SUSPECT =
      new Suspect(new ServerId(3), Suspect.Kind.CONTRADICTION, "calls itself s\u00fc", 7);

  private static final ImmutableMap<String, Message> SAMPLES =
      ImmutableMap.of(
          "AskStatus",
          new AskStatus(-2),
          "ServerStatus",
          new ServerStatus(
              300,
              new ServerId(1),
              "1.2.3",
              "0123456789abcdef",
              86_400_000,
              1_800_000_000_000L,
              ImmutableList.of(new SuspectReport("alice", SUSPECT, 1_800_000_000_001L))),
          "ReportSuspects",
          new ReportSuspects(ImmutableList.of(SUSPECT)),
          "ClearReports",
          new ClearReports(300, new ServerId(2)));

  GoldenBytesTest() {
    super(InquiryTypes.ALL, "golden/v1/inquiry.txt", SAMPLES);
  }
}
