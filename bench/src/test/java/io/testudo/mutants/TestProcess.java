package io.testudo.mutants;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;
import static org.junit.platform.launcher.TagFilter.excludeTags;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The child process: runs tests until the first fails and writes one line, a word and its detail.
 * It is started with the mutated classes before all others, and must stay a single class file, for
 * it is copied there alone.
 */
final class TestProcess implements TestExecutionListener {
  static final String PASSED = "passed";
  static final String FAILED = "failed";
  static final String MISSING = "missing";

  /** A test failed because classes do not fit each other, which says nothing about a mutant. */
  static final String UNLINKED = "unlinked";

  /** What Maven takes for tests. */
  private static final String TEST_NAMES = "^(.*\\.)?(Test[^.$]*|[^.$]*(Test|Tests|TestCase))$";

  private final CancellationToken cancellation = CancellationToken.create();
  private final AtomicInteger passed = new AtomicInteger();
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final List<String> unlinked = new CopyOnWriteArrayList<>();

  private TestProcess() {}

  /** Arguments: the report to write, the directory of the test classes, the names of tests. */
  public static void main(String[] args) throws IOException {
    String report =
        new TestProcess().run(Path.of(args[1]), Arrays.asList(args).subList(2, args.length));
    Files.write(Path.of(args[0]), report.getBytes(UTF_8));
    // Threads that a mutant left behind must not keep the process alive.
    System.exit(0);
  }

  private String run(Path testClasses, List<String> names) {
    Launcher launcher = LauncherFactory.create();
    for (String name : names) {
      if (!exists(name)
          || !launcher.discover(request(List.of(selectClass(name)))).containsTests()) {
        return MISSING + " " + name;
      }
    }
    List<? extends DiscoverySelector> selectors =
        names.isEmpty()
            ? selectClasspathRoots(Set.of(testClasses))
            : names.stream().map(name -> selectClass(name)).toList();
    launcher.execute(
        LauncherExecutionRequestBuilder.request(request(selectors))
            .cancellationToken(cancellation)
            .listeners(this)
            .build());
    if (!unlinked.isEmpty()) {
      return UNLINKED + " " + unlinked.get(0);
    }
    if (!failures.isEmpty()) {
      return FAILED + " " + failures.get(0);
    }
    return passed.get() == 0
        ? MISSING + " all of the named classes that ran"
        : PASSED + " " + passed.get();
  }

  private static boolean exists(String name) {
    try {
      Class.forName(name, false, TestProcess.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static LauncherDiscoveryRequest request(List<? extends DiscoverySelector> selectors) {
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(selectors)
        .filters(includeClassNamePatterns(TEST_NAMES), excludeTags("campaign", "mutants"))
        .build();
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (result.getStatus() == TestExecutionResult.Status.FAILED) {
      failures.add(describe(test));
      result
          .getThrowable()
          .filter(TestProcess::isOfLinking)
          .ifPresent(e -> unlinked.add(e.toString()));
      cancellation.cancel();
    } else if (test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
      passed.incrementAndGet();
    }
  }

  /** Whether it, or what caused it, is an error of classes that were not compiled together. */
  private static boolean isOfLinking(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof IncompatibleClassChangeError
          || cause instanceof VerifyError
          || cause instanceof ClassFormatError
          || (cause instanceof NoClassDefFoundError
              && cause.getCause() instanceof ClassNotFoundException)) {
        return true;
      }
    }
    return false;
  }

  private static String describe(TestIdentifier test) {
    return test.getSource()
        .map(
            source ->
                source instanceof MethodSource method
                    ? simpleName(method.getClassName()) + "." + method.getMethodName()
                    : source instanceof ClassSource type
                        ? simpleName(type.getClassName())
                        : test.getDisplayName())
        .orElse(test.getDisplayName());
  }

  private static String simpleName(String className) {
    return className.substring(className.lastIndexOf('.') + 1);
  }
}
