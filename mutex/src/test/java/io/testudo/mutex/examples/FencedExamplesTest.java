package io.testudo.mutex.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.mutex.StaleFenceException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Resources that check fencing tokens, as docs/locks.md shows them. */
class FencedExamplesTest {
  @TempDir private Path directory;

  @Test
  void aRowRefusesAnEarlierHolder() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE account (id BIGINT, balance BIGINT, fence BIGINT)");
      statement.execute("INSERT INTO account VALUES (1, 100, 0), (2, 100, 0)");
      FencedRow row = new FencedRow(connection, 1);
      row.write(5, 90);
      row.write(5, 80);
      row.write(7, 70);
      assertThatExceptionOfType(StaleFenceException.class)
          .isThrownBy(() -> row.write(6, 0))
          .satisfies(refused -> assertThat(refused.highest()).isEqualTo(7));
      try (ResultSet rows = statement.executeQuery("SELECT balance FROM account ORDER BY id")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getLong(1)).isEqualTo(70);
        assertThat(rows.next()).isTrue();
        assertThat(rows.getLong(1)).isEqualTo(100);
      }
    }
  }

  @Test
  void aFileRefusesAnEarlierHolder() throws IOException {
    Path path = directory.resolve("report");
    new FencedFile(path).write(5, "first");
    new FencedFile(path).write(7, "later\nwith lines");
    assertThatExceptionOfType(StaleFenceException.class)
        .isThrownBy(() -> new FencedFile(path).write(6, "too late"))
        .satisfies(refused -> assertThat(refused.highest()).isEqualTo(7));
    assertThat(new FencedFile(path).read()).isEqualTo("later\nwith lines");
    new FencedFile(path).write(7, "again");
    assertThat(new FencedFile(path).read()).isEqualTo("again");
  }
}
