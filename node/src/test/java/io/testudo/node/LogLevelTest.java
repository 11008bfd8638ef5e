package io.testudo.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LogLevelTest {
  @AfterEach
  void forget() {
    System.clearProperty(LogLevel.PROPERTY);
  }

  @Test
  void staysQuietUnlessAsked() {
    LogLevel.set(List.of("bench", "ping"));
    assertThat(System.getProperty(LogLevel.PROPERTY)).isNull();
  }

  @Test
  void isRaisedByTheOption() {
    LogLevel.set(List.of("bench", "--verbose"));
    assertThat(System.getProperty(LogLevel.PROPERTY)).isEqualTo("INFO");
  }

  @Test
  void followsThePropertyFirst() {
    System.setProperty(LogLevel.PROPERTY, "TRACE");
    LogLevel.set(List.of("--verbose"));
    assertThat(System.getProperty(LogLevel.PROPERTY)).isEqualTo("TRACE");
  }
}
