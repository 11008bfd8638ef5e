package billing;

import io.testudo.client.TestudoClient;
import io.testudo.mutex.Lease;
import io.testudo.shedlock.TestudoLockProvider;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** A job that runs in one instance at a time. All of them note their runs in one log. */
@Component
public class InvoiceJob {
  private static final Logger LOG = LoggerFactory.getLogger(InvoiceJob.class);

  private final TestudoClient testudo;

  InvoiceJob(TestudoClient testudo) {
    this.testudo = testudo;
  }

  /** What it writes carries its token: a database refuses that once a later run has written. */
  @Scheduled(fixedDelayString = "${billing.delay:10s}")
  @SchedulerLock(name = "billing/invoices", lockAtLeastFor = "${billing.at-least:1s}")
  public void send() {
    long token = TestudoLockProvider.currentLease().map(Lease::fencingToken).orElseThrow();
    long run = testudo.log("billing/runs").append(Long.toString(token)).join();
    LOG.info("run {} of the job, under token {}", run, token);
  }
}
