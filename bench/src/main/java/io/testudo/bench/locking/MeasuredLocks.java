package io.testudo.bench.locking;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.strawman.StrawmanProtocol;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.registry.LockProtocols;
import io.testudo.quorum.Need;
import io.testudo.quorum.Thresholds;
import java.util.Iterator;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The protocols that are measured, each with the usual time bounds: all that clusters can have, and
 * the strawman to compare them with.
 */
final class MeasuredLocks implements ITypeConverter<LockProtocol>, Iterable<String> {
  static final ImmutableList<LockProtocol> ALL =
      ImmutableList.<LockProtocol>builder()
          .addAll(LockProtocols.ALL.protocols())
          .add(new StrawmanProtocol(LockTiming.standard()))
          .build();

  /** For picocli. */
  MeasuredLocks() {}

  static LockProtocol named(String name) {
    return ALL.stream()
        .filter(protocol -> protocol.name().equals(name.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "expected one of %s but was '%s'"
                        .formatted(ImmutableList.copyOf(new MeasuredLocks()), name)));
  }

  /**
   * The ways to ask servers that tolerate the same kind of faults as the usual one, which is first.
   */
  static ImmutableList<Need> needs(LockProtocol protocol) {
    boolean liars = protocol.needs().get(0).toleratesLiars();
    return protocol.needs().stream()
        .filter(need -> need.toleratesLiars() == liars)
        .collect(ImmutableList.toImmutableList());
  }

  /** What a cluster is told that may lie: nothing, where the faults are of another kind. */
  static int liarsOf(Thresholds thresholds) {
    return thresholds.need().toleratesLiars() ? thresholds.faults() : 0;
  }

  @Override
  public LockProtocol convert(String name) {
    return named(name);
  }

  @Override
  public Iterator<String> iterator() {
    return ALL.stream().map(LockProtocol::name).iterator();
  }
}
