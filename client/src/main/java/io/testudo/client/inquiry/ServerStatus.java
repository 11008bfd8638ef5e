package io.testudo.client.inquiry;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Message;

/**
 * Server to client: so I am.
 *
 * @param version of its program
 * @param settings a fingerprint of what all members must agree on
 * @param reports what clients have told it, the latest first
 */
public record ServerStatus(
    long nonce,
    ServerId server,
    String version,
    String settings,
    long uptimeMillis,
    long wallMillis,
    ImmutableList<SuspectReport> reports)
    implements Message {
  /** The most reports of one answer. */
  public static final int MAX_REPORTS = 128;

  /** The longest version and fingerprint, in characters. */
  static final int MAX_TEXT = 64;

  public ServerStatus {
    checkArgument(reports.size() <= MAX_REPORTS, "too many reports: %s", reports.size());
    checkArgument(version.length() <= MAX_TEXT, "a version is too long");
    checkArgument(settings.length() <= MAX_TEXT, "a fingerprint is too long");
  }
}
