package io.testudo.node.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.google.gson.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import org.slf4j.event.KeyValuePair;

/**
 * Writes events as lines: {@code time LEVEL Logger - message key=value} for people, or the same as
 * JSON for programs.
 */
final class LogLines extends EncoderBase<ILoggingEvent> {
  private static final byte[] NOTHING = {};

  private volatile boolean json;

  /** Takes the other form from now on. */
  void setJson(boolean asJson) {
    json = asJson;
  }

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    String text = json ? jsonLine(event) : textLine(event);
    return (text + System.lineSeparator()).getBytes(UTF_8);
  }

  private static String textLine(ILoggingEvent event) {
    StringBuilder line = new StringBuilder(128);
    line.append(time(event)).append(' ');
    line.append(String.format(Locale.ROOT, "%-5s", event.getLevel())).append(' ');
    line.append(logger(event)).append(" - ").append(Printable.of(event.getFormattedMessage()));
    for (KeyValuePair pair : pairs(event)) {
      line.append(' ')
          .append(pair.key)
          .append('=')
          .append(Printable.of(String.valueOf(pair.value)));
    }
    if (event.getThrowableProxy() != null) {
      line.append(System.lineSeparator())
          .append(ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }
    return line.toString();
  }

  private static String jsonLine(ILoggingEvent event) {
    JsonObject line = new JsonObject();
    line.addProperty("time", time(event));
    line.addProperty("level", event.getLevel().toString().toLowerCase(Locale.ROOT));
    line.addProperty("logger", logger(event));
    line.addProperty("message", event.getFormattedMessage());
    for (KeyValuePair pair : pairs(event)) {
      if (pair.value instanceof Number number) {
        line.addProperty(pair.key, number);
      } else {
        line.addProperty(pair.key, String.valueOf(pair.value));
      }
    }
    if (event.getThrowableProxy() != null) {
      line.addProperty("error", ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }
    return Printable.of(line.toString());
  }

  private static String time(ILoggingEvent event) {
    return Instant.ofEpochMilli(event.getTimeStamp()).truncatedTo(ChronoUnit.MILLIS).toString();
  }

  private static String logger(ILoggingEvent event) {
    String name = event.getLoggerName();
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private static List<KeyValuePair> pairs(ILoggingEvent event) {
    List<KeyValuePair> pairs = event.getKeyValuePairs();
    return pairs == null ? List.of() : pairs;
  }
}
