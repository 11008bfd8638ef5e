package io.testudo.client.config;

import com.google.common.collect.ImmutableSet;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The files that a configuration was read from.
 *
 * @param pause between two looks whether one has changed; zero for none
 */
public record WatchedFiles(ImmutableSet<Path> files, Duration pause) {
  /** Nothing to look at: all was said by a program. */
  public static final WatchedFiles NONE = new WatchedFiles(ImmutableSet.of(), Duration.ZERO);

  /** What the pause is unless a file says otherwise. */
  public static final Duration STANDARD_PAUSE = Duration.ofSeconds(5);

  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofDays(1);
  private static final String SETTING = "reload-every";

  /** Those of these settings and of some keys. */
  public static WatchedFiles of(Settings settings, CredentialFiles... keys) {
    Duration pause = settings.duration(SETTING, STANDARD_PAUSE);
    boolean isOff = pause.isZero();
    if (!isOff && (pause.compareTo(SHORTEST_PAUSE) < 0 || pause.compareTo(LONGEST_PAUSE) > 0)) {
      throw settings.wrong(SETTING, "must be 100ms to 1d, or 0s for never; correct it");
    }
    ImmutableSet.Builder<Path> files = ImmutableSet.builder();
    files.addAll(settings.files());
    for (CredentialFiles one : keys) {
      files.addAll(one.files());
    }
    return new WatchedFiles(files.build(), pause);
  }
}
