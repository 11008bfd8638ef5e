package io.testudo.client.config;

import com.google.common.collect.ImmutableSet;
import com.google.common.net.HostAndPort;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderClasspath;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigIncluderURL;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigUtil;
import io.testudo.crypto.KeyFileException;
import io.testudo.crypto.ProtectedFile;
import io.testudo.quorum.ConfigurationException;
import io.testudo.quorum.cluster.ClusterDescription;
import io.testudo.quorum.cluster.ClusterFile;
import io.testudo.quorum.cluster.Endpoint;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * One configuration file. Every error names the file and the setting; a setting that nobody asked
 * for is an error too, since it is most likely mistyped.
 */
public final class Settings {
  /** The longest file, in bytes. */
  private static final int MAX_BYTES = 1 << 20;

  /** How deep files may include each other. */
  private static final int MAX_INCLUDES = 4;

  private final Path file;
  private final Config config;
  private final Set<String> asked = new HashSet<>();

  /** All that were read. */
  private final Set<Path> files;

  private Settings(Path file, Config config, Set<Path> files) {
    this.file = file;
    this.config = config;
    this.files = files;
  }

  /** Reads a file that only its owner can have changed, and files that it includes likewise. */
  public static Settings read(Path file) {
    try {
      Set<Path> files = new LinkedHashSet<>();
      return new Settings(file, parse(file, 0, files).resolve(), files);
    } catch (KeyFileException e) {
      throw new ConfigurationException(String.valueOf(e.getMessage()), e);
    } catch (ConfigException e) {
      throw new ConfigurationException(
          "%s is no usable configuration: %s; correct it.".formatted(file, e.getMessage()), e);
    }
  }

  /**
   * Settings that a program makes. Paths are relative to the working directory.
   *
   * @param origin what errors name in the place of a file
   * @param values texts by setting, such as {@code lock.max-hold}
   */
  public static Settings of(String origin, Map<String, String> values) {
    try {
      return new Settings(
          Path.of(origin), ConfigFactory.parseMap(values, origin), new LinkedHashSet<>());
    } catch (ConfigException e) {
      throw new ConfigurationException(
          "%s cannot be used: %s; correct it.".formatted(origin, e.getMessage()), e);
    }
  }

  /** The same, where these values count more than the file. */
  public Settings with(Map<String, String> values) {
    return new Settings(file, ConfigFactory.parseMap(values).withFallback(config), files);
  }

  private static Config parse(Path file, int depth, Set<Path> files) throws KeyFileException {
    if (depth > MAX_INCLUDES) {
      throw new ConfigException.Generic(
          "%s is included by itself; remove the loop.".formatted(file));
    }
    files.add(file.toAbsolutePath());
    // What was checked is what is parsed: another look at the path could find another file.
    String text = new String(ProtectedFile.readPublic(file, MAX_BYTES), StandardCharsets.UTF_8);
    return ConfigFactory.parseString(
        text,
        ConfigParseOptions.defaults()
            .setOriginDescription(file.toString())
            .setIncluder(new Includes(file, depth, files)));
  }

  /** Files beside the one that includes them, by the same rules; nothing from elsewhere. */
  private record Includes(Path file, int depth, Set<Path> files)
      implements ConfigIncluder, ConfigIncluderFile, ConfigIncluderURL, ConfigIncluderClasspath {
    @Override
    public ConfigIncluder withFallback(ConfigIncluder other) {
      return this;
    }

    @Override
    public ConfigObject include(ConfigIncludeContext context, String what) {
      Path included = file.toAbsolutePath().resolveSibling(what).normalize();
      try {
        return parse(included, depth + 1, files).root();
      } catch (KeyFileException e) {
        throw new ConfigException.Generic(String.valueOf(e.getMessage()), e);
      }
    }

    @Override
    public ConfigObject includeFile(ConfigIncludeContext context, File what) {
      return include(context, what.toString());
    }

    @Override
    public ConfigObject includeURL(ConfigIncludeContext context, URL what) {
      throw new ConfigException.Generic("a configuration includes files only, not " + what);
    }

    @Override
    public ConfigObject includeResources(ConfigIncludeContext context, String what) {
      throw new ConfigException.Generic("a configuration includes files only, not " + what);
    }
  }

  /** Where they are from. */
  public Path file() {
    return file;
  }

  /** This one, those that it includes, and the cluster file if that was read. */
  public ImmutableSet<Path> files() {
    return ImmutableSet.copyOf(files);
  }

  /** Whether the file says anything of this. */
  public boolean has(String path) {
    return config.hasPath(path);
  }

  /** A text that must be there. */
  public String text(String path) {
    if (!has(path)) {
      asked.add(path);
      throw wrong(path, "is missing; add it");
    }
    return value(path, config::getString);
  }

  /** A text. */
  public String text(String path, String otherwise) {
    return has(path) ? text(path) : otherwise(path, otherwise);
  }

  /** A whole number. */
  public int number(String path, int otherwise) {
    return has(path) ? value(path, config::getInt) : otherwise(path, otherwise);
  }

  /** A number. */
  public double fraction(String path, double otherwise) {
    return has(path) ? value(path, config::getDouble) : otherwise(path, otherwise);
  }

  /** Yes or no. */
  public boolean flag(String path, boolean otherwise) {
    return has(path) ? value(path, config::getBoolean) : otherwise(path, otherwise);
  }

  /** A time, such as 5s. */
  public Duration duration(String path, Duration otherwise) {
    return has(path) ? value(path, config::getDuration) : otherwise(path, otherwise);
  }

  /** One of a few words. */
  public <E extends Enum<E>> E word(String path, Class<E> words, E otherwise) {
    if (!has(path)) {
      return otherwise(path, otherwise);
    }
    String text = text(path);
    for (E constant : words.getEnumConstants()) {
      if (wordOf(constant).equals(text)) {
        return constant;
      }
    }
    List<String> known = List.of(words.getEnumConstants()).stream().map(Settings::wordOf).toList();
    throw wrong(path, "is '%s'; choose one of %s".formatted(text, String.join(", ", known)));
  }

  /** How a constant is written in configuration files. */
  public static String wordOf(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** A path; what is relative is so to the directory of the file. */
  public Path path(String path, String otherwise) {
    Path absolute = file.toAbsolutePath();
    try {
      return absolute.resolveSibling(text(path, otherwise)).normalize();
    } catch (InvalidPathException e) {
      throw wrong(path, "cannot be the path of a file; correct it");
    }
  }

  /** A path, if the file names one. */
  public Optional<Path> path(String path) {
    return has(path) ? Optional.of(path(path, "")) : otherwise(path, Optional.empty());
  }

  /** An address, as HOST:PORT. */
  public Endpoint endpoint(String path, Endpoint otherwise) {
    if (!has(path)) {
      return otherwise(path, otherwise);
    }
    String text = text(path);
    try {
      HostAndPort parsed = HostAndPort.fromString(text);
      return new Endpoint(parsed.getHost(), parsed.getPort());
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw wrong(path, "is '%s'; write it as HOST:PORT".formatted(text));
    }
  }

  /** Names with a text each; the names may hold dots and slashes. */
  public Map<String, String> texts(String path) {
    asked.add(path);
    Map<String, String> texts = new TreeMap<>();
    if (has(path)) {
      for (String name : value(path, config::getObject).keySet()) {
        texts.put(name, text(path + "." + ConfigUtil.quoteString(name)));
      }
    }
    return texts;
  }

  /** What the cluster file says that these settings name. */
  public ClusterDescription cluster() {
    Path clusterFile = path("cluster-file", "cluster.txt");
    files.add(clusterFile);
    try {
      return ClusterFile.read(clusterFile);
    } catch (IOException e) {
      throw new ConfigurationException(String.valueOf(e.getMessage()), e);
    }
  }

  /** To be called when everything was asked for. */
  public void refuseUnknown() {
    for (Map.Entry<String, ?> entry : config.entrySet()) {
      if (!asked.contains(entry.getKey())) {
        throw wrong(entry.getKey(), "is no setting; correct its name or remove it");
      }
    }
  }

  /** Says that a value cannot be, in the words of whoever judges it. */
  public ConfigurationException wrong(String path, String what) {
    return new ConfigurationException("%s: %s %s.".formatted(file, path, what));
  }

  private <T> T value(String path, Function<String, T> getter) {
    asked.add(path);
    try {
      return getter.apply(path);
    } catch (ConfigException e) {
      throw new ConfigurationException(
          "%s: %s cannot be used (%s); correct it.".formatted(file, path, e.getMessage()), e);
    }
  }

  private <T> T otherwise(String path, T value) {
    asked.add(path);
    return value;
  }
}
