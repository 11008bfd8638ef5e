package io.testudo.mutex.examples;

import io.testudo.mutex.StaleFenceException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** A balance in a database that refuses holders of a lock who come too late. */
final class FencedRow {
  private static final String UPDATE =
      "UPDATE account SET balance = ?, fence = ? WHERE id = ? AND fence <= ?";
  private static final String FENCE = "SELECT fence FROM account WHERE id = ?";

  private final Connection connection;
  private final long id;

  FencedRow(Connection connection, long id) {
    this.connection = connection;
    this.id = id;
  }

  /** The check and the change are one statement: nobody comes between them. */
  void write(long token, long balance) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(UPDATE)) {
      update.setLong(1, balance);
      update.setLong(2, token);
      update.setLong(3, id);
      update.setLong(4, token);
      if (update.executeUpdate() == 0) {
        throw new StaleFenceException(token, fence());
      }
    }
  }

  private long fence() throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(FENCE)) {
      select.setLong(1, id);
      try (ResultSet rows = select.executeQuery()) {
        if (!rows.next()) {
          throw new SQLException("there is no account " + id);
        }
        return rows.getLong(1);
      }
    }
  }
}
