package io.testudo.bench.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails a test after which there are children of this process that were not there before. */
public final class LeavesNoProcess implements BeforeEachCallback, AfterEachCallback {
  private Set<ProcessHandle> before = Set.of();

  @Override
  public void beforeEach(ExtensionContext test) {
    before = children();
  }

  @Override
  public void afterEach(ExtensionContext test) {
    assertThat(started()).isEmpty();
  }

  /** The children that the test has started and that still live. */
  public Set<ProcessHandle> started() {
    Set<ProcessHandle> started = children();
    started.removeAll(before);
    return started;
  }

  private static Set<ProcessHandle> children() {
    return ProcessHandle.current().children().collect(Collectors.toSet());
  }
}
