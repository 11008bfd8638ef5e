package io.testudo.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MonitorScanTest {
  private static final String FIXTURES = "io.testudo.rules.fixtures.monitors";

  private final Set<String> breaches =
      new MonitorScan(
              House.TESTUDO,
              new ClassFileImporter().importPackages(FIXTURES),
              ParsedSource.parse(
                  SourceTree.javaBelow(
                      Path.of("src/test/java").resolve(FIXTURES.replace('.', '/')))))
          .breaches();

  private void assertOneBreach(String type, String why) {
    assertThat(breaches.stream().filter(breach -> breach.contains(FIXTURES + "." + type)))
        .singleElement()
        .asString()
        .contains(why, "(" + type + ".java:");
  }

  @Test
  void findsAWaitBehindAnotherMethod() {
    assertOneBreach("WaitsThroughOthers", "CompletableFuture.join() waits");
  }

  @Test
  void findsCodeOfCallers() {
    assertOneBreach("RunsWhatIsBrought", "Supplier.get() may run what a caller has brought");
  }

  @Test
  void findsAWaitBehindAnInterface() {
    assertOneBreach("WaitsInAnHeir", "CountDownLatch.await() waits");
  }

  @Test
  void findsCallsOfWhichNothingIsKnown() {
    assertOneBreach("CallsElsewhere", "SourceTree.ofRunningTests() does is not known here");
  }

  @Test
  void letsBriefOnesBeAndWhatIsOutside() {
    assertThat(breaches).noneMatch(breach -> breach.contains(FIXTURES + ".Brief"));
  }
}
