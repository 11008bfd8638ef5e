package io.testudo.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.client.TestudoClient;
import io.testudo.client.TestudoCluster;
import io.testudo.mutex.Lease;
import io.testudo.mutex.StaleFenceException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JdbcFenceTest {
  /** A hang guard, not an expectation. */
  private static final long GUARD_SECONDS = 60;

  private final JdbcFence fence = new JdbcFence();
  private DataSource database;
  private Connection open;

  @BeforeEach
  void create() throws SQLException {
    JdbcDataSource h2 = new JdbcDataSource();
    // A name for each test; it is gone with its last connection.
    h2.setURL("jdbc:h2:mem:fence-" + System.nanoTime() + ";LOCK_TIMEOUT=60000");
    database = h2;
    open = database.getConnection();
    execute("CREATE TABLE testudo_fence (name VARCHAR(255) PRIMARY KEY, token BIGINT NOT NULL)");
    execute("CREATE TABLE journal (line VARCHAR(255))");
  }

  @AfterEach
  void drop() throws SQLException {
    open.close();
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = open.createStatement()) {
      statement.execute(sql);
    }
  }

  private long number(String sql) throws SQLException {
    try (Statement statement = open.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return rows.getLong(1);
    }
  }

  private Connection transaction() throws SQLException {
    Connection connection = database.getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  private static void write(Connection connection, String line) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO journal VALUES ('" + line + "')");
    }
  }

  @Test
  void refusesAHolderThatComesTooLate() throws Exception {
    try (TestudoCluster cluster = TestudoCluster.start(4, 1);
        TestudoClient client = cluster.client()) {
      Lease early = client.lock("journal").acquire();
      fence.write(database, early, connection -> insert(connection, "early"));
      early.close();
      try (Lease late = client.lock("journal").acquire()) {
        int inserted = fence.write(database, late, connection -> insert(connection, "late"));
        assertThat(inserted).isEqualTo(1);
      }
      assertThatExceptionOfType(StaleFenceException.class)
          .isThrownBy(
              () -> fence.write(database, early, connection -> insert(connection, "too late")));
    }
    assertThat(number("SELECT COUNT(*) FROM journal")).isEqualTo(2);
  }

  private static int insert(Connection connection, String line) throws SQLException {
    write(connection, line);
    return 1;
  }

  @Test
  void aHolderMayWriteAgainAndLocksDoNotMeet() throws Exception {
    try (Connection connection = transaction()) {
      fence.check(connection, "a", 7);
      fence.check(connection, "a", 7);
      fence.check(connection, "b", 3);
      fence.check(connection, "a", 8);
      connection.commit();
    }
    assertThat(number("SELECT token FROM testudo_fence WHERE name = 'a'")).isEqualTo(8);
    assertThat(number("SELECT token FROM testudo_fence WHERE name = 'b'")).isEqualTo(3);
  }

  @Test
  void whatIsRolledBackRaisesNothing() throws Exception {
    try (Connection connection = transaction()) {
      fence.check(connection, "a", 9);
      connection.rollback();
      fence.check(connection, "a", 5);
      connection.commit();
    }
    assertThat(number("SELECT token FROM testudo_fence WHERE name = 'a'")).isEqualTo(5);
  }

  /** The later holder waits for the earlier one's commit, and not the other way round. */
  @Test
  void checkAndWriteAreOneStep() throws Exception {
    try (Connection early = transaction()) {
      fence.check(early, "a", 1);
      early.commit();
      fence.check(early, "a", 1);
      CountDownLatch asks = new CountDownLatch(1);
      CompletableFuture<Void> later = CompletableFuture.runAsync(() -> writeAs(2, "late", asks));
      assertThat(asks.await(GUARD_SECONDS, TimeUnit.SECONDS)).isTrue();
      write(early, "early");
      assertThat(later).isNotDone();
      early.commit();
      later.get(GUARD_SECONDS, TimeUnit.SECONDS);
    }
    assertThat(number("SELECT COUNT(*) FROM journal")).isEqualTo(2);
    assertThat(number("SELECT token FROM testudo_fence WHERE name = 'a'")).isEqualTo(2);
  }

  /** Two that insert the row of a new lock: one of them goes on as if it had been there. */
  @Test
  void ofTwoFirstHoldersTheLaterOneStays() throws Exception {
    CountDownLatch asks = new CountDownLatch(1);
    try (Connection late = transaction()) {
      fence.check(late, "a", 2);
      CompletableFuture<Void> early = CompletableFuture.runAsync(() -> writeAs(1, "early", asks));
      assertThat(asks.await(GUARD_SECONDS, TimeUnit.SECONDS)).isTrue();
      late.commit();
      assertThatExceptionOfType(ExecutionException.class)
          .isThrownBy(() -> early.get(GUARD_SECONDS, TimeUnit.SECONDS))
          .withRootCauseInstanceOf(StaleFenceException.class);
    }
    assertThat(number("SELECT COUNT(*) FROM journal")).isZero();
  }

  /** A snapshot hides the row from all but its key. */
  @Test
  void doesNotTryForEverWhatItsSnapshotHides() throws Exception {
    try (Connection late = transaction();
        Connection early = transaction()) {
      late.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      try (Statement statement = late.createStatement();
          ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM testudo_fence")) {
        assertThat(rows.next()).isTrue();
      }
      fence.check(early, "a", 1);
      early.commit();
      assertThatExceptionOfType(SQLTransactionRollbackException.class)
          .isThrownBy(() -> fence.check(late, "a", 2));
      late.rollback();
      fence.check(late, "a", 2);
      late.commit();
    }
    assertThat(number("SELECT token FROM testudo_fence WHERE name = 'a'")).isEqualTo(2);
  }

  private void writeAs(long token, String line, CountDownLatch asks) {
    try (Connection connection = transaction()) {
      asks.countDown();
      fence.check(connection, "a", token);
      write(connection, line);
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void needsATransactionAndATableWithAPlainName() {
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> fence.check(open, "a", 1));
    assertThat(new JdbcFence("app.fences")).isNotNull();
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> new JdbcFence("fences; DROP TABLE journal"));
  }
}
