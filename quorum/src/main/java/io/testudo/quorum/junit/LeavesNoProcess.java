package io.testudo.quorum.junit;

import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails a test after which there are children of this process that were not there before. */
@SuppressWarnings("exports") // Whoever uses it has JUnit; the others must not need it.
public final class LeavesNoProcess implements BeforeEachCallback, AfterEachCallback {
  private Set<ProcessHandle> before = Set.of();

  /** For a field with {@code @RegisterExtension}. */
  public LeavesNoProcess() {}

  @Override
  public void beforeEach(ExtensionContext test) {
    before = children();
  }

  @Override
  public void afterEach(ExtensionContext test) {
    Set<ProcessHandle> left = started();
    if (!left.isEmpty()) {
      throw new AssertionError("the test has left processes behind: " + left);
    }
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
