package io.testudo.node.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class LogLinesTest {
  private final LogLines lines = new LogLines();

  private static LoggingEvent event(@Nullable Throwable error) {
    Logger logger = new LoggerContext().getLogger("io.testudo.Some");
    LoggingEvent event =
        new LoggingEvent("x", logger, Level.INFO, "serves {}", error, new Object[] {"you"});
    event.setTimeStamp(1_800_000_000_000L);
    event.addKeyValuePair(new KeyValuePair("server", "s0"));
    event.addKeyValuePair(new KeyValuePair("incarnation", 3L));
    return event;
  }

  @Test
  void writesALineForPeople() {
    assertThat(new String(lines.encode(event(null)), UTF_8))
        .isEqualTo(
            "2027-01-15T08:00:00Z INFO  Some - serves you server=s0 incarnation=3%n".formatted());
  }

  @Test
  void writesAnObjectForPrograms() {
    lines.setJson(true);
    String line = new String(lines.encode(event(new IllegalStateException("a\nb"))), UTF_8);
    assertThat(line).hasLineCount(1);
    JsonObject json = JsonParser.parseString(line).getAsJsonObject();
    assertThat(json.get("message").getAsString()).isEqualTo("serves you");
    assertThat(json.get("level").getAsString()).isEqualTo("info");
    assertThat(json.get("incarnation").getAsLong()).isEqualTo(3);
    assertThat(json.get("error").getAsString()).contains("IllegalStateException: a");
  }
}
