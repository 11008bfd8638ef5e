package io.testudo.springtx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.client.TestudoClient;
import io.testudo.client.TestudoCluster;
import io.testudo.client.junit.TestudoClusterExtension;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LeaseLostException;
import io.testudo.mutex.LockOptions;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** With Spring's own transactions on H2. */
class TransactionLocksTest {
  /** A hang guard, not an expectation. */
  private static final long GUARD_SECONDS = 60;

  @RegisterExtension
  private static final TestudoClusterExtension CLUSTER = TestudoClusterExtension.of(4, 1);

  private final String name = UUID.randomUUID().toString();
  private TestudoClient client;
  private TestudoClient other;
  private TransactionLocks locks;
  private JdbcTemplate database;
  private TransactionTemplate transaction;
  private TransactionTemplate ownTransaction;

  @BeforeEach
  void connect(TestudoCluster cluster) {
    client = cluster.client();
    other = cluster.client();
    locks = new TransactionLocks(client);
    JdbcDataSource h2 = new JdbcDataSource();
    h2.setURL("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1");
    database = new JdbcTemplate(h2);
    database.execute("CREATE TABLE journal (line VARCHAR(255))");
    DataSourceTransactionManager manager = new DataSourceTransactionManager(h2);
    transaction = new TransactionTemplate(manager);
    ownTransaction = new TransactionTemplate(manager);
    ownTransaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
  }

  @AfterEach
  void close() {
    database.execute("SHUTDOWN");
    client.close();
    other.close();
  }

  private Lease acquire() {
    return acquire(locks);
  }

  private Lease acquire(TransactionLocks from) {
    try {
      return from.acquire(name);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean isFree() {
    try {
      return other.lock(name).tryAcquire().map(TransactionLocksTest::closed).orElse(false);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean closed(Lease lease) {
    lease.close();
    return true;
  }

  private void awaitFree() throws InterruptedException {
    assertThat(other.lock(name).tryAcquire(Duration.ofSeconds(GUARD_SECONDS)))
        .map(TransactionLocksTest::closed)
        .isPresent();
  }

  private void write() {
    database.update("INSERT INTO journal VALUES ('line')");
  }

  private int lines() {
    Integer count = database.queryForObject("SELECT COUNT(*) FROM journal", Integer.class);
    return count == null ? -1 : count;
  }

  @Test
  void isHeldUntilTheCommitIsDone() throws Exception {
    transaction.executeWithoutResult(
        status -> {
          Lease lease = acquire();
          TransactionSynchronizationManager.registerSynchronization(
              new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                  assertThat(lease.isHeld()).isTrue();
                  assertThat(isFree()).isFalse();
                }
              });
          write();
        });
    awaitFree();
    assertThat(lines()).isEqualTo(1);
  }

  @Test
  void isGivenBackAfterARollback() throws Exception {
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(
            () ->
                transaction.executeWithoutResult(
                    status -> {
                      acquire();
                      write();
                      throw new IllegalStateException("no");
                    }));
    awaitFree();
    assertThat(lines()).isZero();
  }

  @Test
  void oneTransactionHasOneLease() {
    transaction.executeWithoutResult(
        status -> {
          Lease lease = acquire();
          assertThat(acquire()).isSameAs(lease);
          assertThat(locks.current()).containsOnlyKeys(name);
        });
    assertThat(locks.current()).isEmpty();
  }

  @Test
  void aTransactionThatLostItsLeaseIsRolledBack() {
    TransactionLocks brief =
        new TransactionLocks(
            client, LockOptions.standard().withHold(Duration.ofMillis(20)).withoutAutoRenewal());
    assertThatExceptionOfType(LeaseLostException.class)
        .isThrownBy(
            () ->
                transaction.executeWithoutResult(
                    status -> {
                      CountDownLatch lost = new CountDownLatch(1);
                      acquire(brief).onLost(lost::countDown);
                      write();
                      await(lost);
                    }));
    assertThat(lines()).isZero();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(GUARD_SECONDS, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aTransactionInsideDoesNotWaitForTheOneAroundIt() throws Exception {
    transaction.executeWithoutResult(
        status -> {
          Lease lease = acquire();
          assertThatExceptionOfType(IllegalStateException.class)
              .isThrownBy(() -> ownTransaction.executeWithoutResult(inner -> acquire()))
              .withMessageContaining("suspended");
          ownTransaction.executeWithoutResult(inner -> assertThat(locks.current()).isEmpty());
          assertThat(lease.isHeld()).isTrue();
          assertThat(acquire()).isSameAs(lease);
        });
    awaitFree();
  }

  @Test
  void needsATransaction() {
    assertThatExceptionOfType(IllegalStateException.class).isThrownBy(this::acquire);
  }
}
