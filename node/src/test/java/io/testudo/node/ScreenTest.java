package io.testudo.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScreenTest {
  private static Screen screen(boolean out, boolean err, Map<String, String> variables) {
    return new Screen(out, err, null, variables);
  }

  @Test
  void coloursAreForTerminals() {
    Map<String, String> xterm = Map.of("TERM", "xterm-256color");
    assertThat(screen(true, false, xterm).coloursOut()).isTrue();
    assertThat(screen(false, true, xterm).coloursOut()).isFalse();
    assertThat(screen(false, true, xterm).coloursErr()).isTrue();
    assertThat(screen(true, false, xterm).canDraw()).isFalse();
  }

  @Test
  void whoWantsNoColoursStillGetsThePicture() {
    Screen plain = screen(true, true, Map.of("TERM", "xterm", "NO_COLOR", "1"));
    assertThat(plain.coloursOut()).isFalse();
    assertThat(plain.coloursErr()).isFalse();
    assertThat(plain.canDraw()).isTrue();
    assertThat(screen(true, true, Map.of("TERM", "xterm", "NO_COLOR", "")).coloursOut()).isTrue();
  }

  @Test
  void dumbTerminalsGetPlainLines() {
    for (Map<String, String> variables :
        List.of(Map.of("TERM", "dumb"), Map.<String, String>of())) {
      Screen dumb = screen(true, true, variables);
      assertThat(dumb.coloursOut()).isFalse();
      assertThat(dumb.canDraw()).isFalse();
    }
  }

  @Test
  void isEightyColumnsWideUnlessToldOtherwise() {
    assertThat(screen(true, true, Map.of()).columns()).isEqualTo(80);
    assertThat(new Screen(true, true, 120, Map.of()).columns()).isEqualTo(120);
    assertThat(new Screen(true, true, 0, Map.of()).columns()).isEqualTo(80);
  }

  @Test
  void textOfOthersCannotSteerTheTerminal() {
    ColourText text = ColourText.of(ColourText.Colour.BAD, "a\033[2Jb").and(" c");
    assertThat(text.shown(true)).isEqualTo("\033[1;31ma\\u001b[2Jb\033[0m c");
    assertThat(text).hasToString("a\\u001b[2Jb c");
    assertThat(text.cutTo(1)).hasToString("a");
  }
}
