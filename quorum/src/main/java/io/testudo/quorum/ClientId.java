package io.testudo.quorum;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * One contender: a principal, proven by its channel; a session, drawn at random at each process
 * start; a handle, one for each user of a lock within the process. Two handles of one process are
 * two clients, so that neither deletes the other's requests.
 *
 * <p>The order is total but means nothing: it breaks ties between equal times.
 */
public record ClientId(String principal, long session, long handle)
    implements Comparable<ClientId> {
  /** The longest name of a principal, in characters. Each is one byte on the wire. */
  public static final int MAX_PRINCIPAL_LENGTH = 128;

  private static final int SESSION_DIGITS_SHOWN_WHOLE = 8;
  private static final int SESSION_DIGITS_SHOWN_OF_MORE = 4;

  private static final Comparator<ClientId> ORDER =
      Comparator.comparing(ClientId::principal)
          .thenComparingLong(ClientId::session)
          .thenComparingLong(ClientId::handle);

  public ClientId {
    checkArgument(
        !principal.isEmpty() && principal.length() <= MAX_PRINCIPAL_LENGTH,
        "a principal has 1 to 128 characters, %s were given",
        principal.length());
    // ASCII only: names that look alike to people are then alike to us.
    for (int i = 0; i < principal.length(); i++) {
      char c = principal.charAt(i);
      checkArgument(
          c > ' ' && c <= '~',
          "a principal consists of printable ASCII characters without spaces, character %s is not",
          i + 1);
    }
  }

  @Override
  public int compareTo(ClientId other) {
    return ORDER.compare(this, other);
  }

  /** Written out: what differs first is looked at first, and this is asked with each message. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ClientId client
        && session == client.session
        && handle == client.handle
        && principal.equals(client.principal);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * principal.hashCode() + Long.hashCode(session)) + Long.hashCode(handle);
  }

  /** Short, for people: a long session is cut, so this is no key. */
  @Override
  public String toString() {
    String digits = Long.toHexString(session);
    if (digits.length() > SESSION_DIGITS_SHOWN_WHOLE) {
      digits = digits.substring(0, SESSION_DIGITS_SHOWN_OF_MORE) + "...";
    }
    return principal + "/" + digits + "/" + handle;
  }
}
