package io.testudo.node.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.node.JsonLines;
import org.junit.jupiter.api.Test;

class PrintableTest {
  private static final String ESC = "\u001b";
  private static final String RIGHT_TO_LEFT = "\u202e";

  @Test
  void leavesOrdinaryTextAsItIs() {
    String text = "L\u00f6cher/\u9396 \ud83d\udd12 'a\\b'";
    assertThat(Printable.of(text)).isSameAs(text);
  }

  @Test
  void writesOutWhatATerminalWouldObey() {
    assertThat(Printable.of("a" + ESC + "[2Jb\u009b1m" + RIGHT_TO_LEFT + "c\u2028\ud800"))
        .isEqualTo("a\\u001b[2Jb\\u009b1m\\u202ec\\u2028\\ud800");
    assertThat(Printable.of("\udb40\udc01")).isEqualTo("\\udb40\\udc01");
  }

  @Test
  void keepsLinesOnlyWhereTheyAreMeant() {
    assertThat(Printable.of("one\ns0: none\r")).isEqualTo("one\\u000as0: none\\u000d");
    assertThat(Printable.lines("one\n\ttwo\r\n")).isEqualTo("one\n\ttwo\\u000d\n");
  }

  @Test
  void isWhatJsonAndErrorsGoThrough() {
    record Row(String detail) {}
    assertThat(JsonLines.line(new Row("x" + RIGHT_TO_LEFT + "\u009b")))
        .isEqualTo("{\"detail\":\"x\\u202e\\u009b\"}");
  }
}
