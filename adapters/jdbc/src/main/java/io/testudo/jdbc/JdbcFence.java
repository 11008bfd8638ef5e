package io.testudo.jdbc;

import io.testudo.mutex.Lease;
import io.testudo.mutex.StaleFenceException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Savepoint;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * Has a database refuse holders of a lock who come too late. A table keeps the largest fencing
 * token of each lock; {@link #check} compares and raises it in the transaction that writes, and
 * with it locks that row until the transaction is over. So check and write are one step, whatever
 * tables are written.
 *
 * <pre>{@code
 * CREATE TABLE testudo_fence (name VARCHAR(255) PRIMARY KEY, token BIGINT NOT NULL)
 * }</pre>
 *
 * It works at any isolation level from READ COMMITTED on. docs/adapters.md has the statements for
 * PostgreSQL, MySQL and H2.
 */
public final class JdbcFence {
  /** The table, unless another is named. */
  public static final String TABLE = "testudo_fence";

  private static final Pattern NAME =
      Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)?");

  /** The states of SQL that say that a key is there already. */
  private static final String INTEGRITY = "23";

  /** The state of SQL by which databases ask for a transaction anew. */
  private static final String TRY_AGAIN = "40001";

  /** The second sees a row that another has just inserted, unless a snapshot hides it. */
  private static final int TRIES = 2;

  private final String raise;
  private final String read;
  private final String insert;

  /** What a holder writes. */
  @FunctionalInterface
  public interface Work<T> {
    T write(Connection connection) throws SQLException;
  }

  /** On the usual table. */
  public JdbcFence() {
    this(TABLE);
  }

  /**
   * On a table of another name.
   *
   * @throws IllegalArgumentException if it is not a plain name, with a schema or without
   */
  public JdbcFence(String table) {
    if (!NAME.matcher(table).matches()) {
      throw new IllegalArgumentException(
          "A table has a plain name, as in 'fences' or 'app.fences', not '%s'.".formatted(table));
    }
    raise = "UPDATE %s SET token = ? WHERE name = ? AND token <= ?".formatted(table);
    read = "SELECT token FROM %s WHERE name = ? FOR UPDATE".formatted(table);
    insert = "INSERT INTO %s (name, token) VALUES (?, ?)".formatted(table);
  }

  /** As {@link #check(Connection, String, long)}, with the lock and the token of a lease. */
  public void check(Connection connection, Lease lease) throws SQLException {
    check(connection, lease.lockName(), lease.fencingToken());
  }

  /**
   * Lets a holder go on who is not behind another one. What it writes on this connection counts
   * with the commit; until then later holders wait here.
   *
   * @throws StaleFenceException if a holder with a larger token was here: roll back
   * @throws SQLTransactionRollbackException if the transaction has to be tried again, as databases
   *     ask for at levels from REPEATABLE READ on
   * @throws IllegalStateException if the connection commits by itself: the check would end before
   *     the write begins
   */
  public void check(Connection connection, String lock, long token) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "The connection commits each statement by itself; begin a transaction, in which the check and the write are one.");
    }
    for (int tries = 0; tries < TRIES; tries++) {
      if (raised(connection, lock, token)) {
        return;
      }
      OptionalLong highest = highest(connection, lock);
      if (highest.isPresent() && highest.getAsLong() > token) {
        throw new StaleFenceException(token, highest.getAsLong());
      }
      // Where an update that changes nothing counts no rows, the token is there already.
      if (highest.isPresent() && highest.getAsLong() == token) {
        return;
      }
      if (highest.isEmpty() && inserted(connection, lock, token)) {
        return;
      }
    }
    throw new SQLTransactionRollbackException(
        "The row of the lock '%s' was made after this transaction began, which cannot see it; roll back and try again."
            .formatted(lock),
        TRY_AGAIN);
  }

  private boolean raised(Connection connection, String lock, long token) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(raise)) {
      update.setLong(1, token);
      update.setString(2, lock);
      update.setLong(3, token);
      return update.executeUpdate() > 0;
    }
  }

  private OptionalLong highest(Connection connection, String lock) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(read)) {
      select.setString(1, lock);
      try (ResultSet rows = select.executeQuery()) {
        return rows.next() ? OptionalLong.of(rows.getLong(1)) : OptionalLong.empty();
      }
    }
  }

  /** False if another has inserted it: then the transaction goes on as if this had not been. */
  private boolean inserted(Connection connection, String lock, long token) throws SQLException {
    Savepoint before = connection.setSavepoint();
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      statement.setString(1, lock);
      statement.setLong(2, token);
      statement.executeUpdate();
    } catch (SQLException e) {
      if (e.getSQLState() == null || !e.getSQLState().startsWith(INTEGRITY)) {
        throw e;
      }
      connection.rollback(before);
      connection.releaseSavepoint(before);
      return false;
    }
    connection.releaseSavepoint(before);
    return true;
  }

  /**
   * Checks, writes and commits, in a transaction of its own.
   *
   * @throws StaleFenceException if a holder with a larger token was here; nothing is written then
   */
  public <T> T write(DataSource database, Lease lease, Work<T> work) throws SQLException {
    try (Connection connection = database.getConnection()) {
      boolean commitsItself = connection.getAutoCommit();
      connection.setAutoCommit(false);
      try {
        check(connection, lease);
        T result = work.write(connection);
        connection.commit();
        return result;
      } catch (Throwable e) {
        connection.rollback();
        throw e;
      } finally {
        connection.setAutoCommit(commitsItself);
      }
    }
  }
}
