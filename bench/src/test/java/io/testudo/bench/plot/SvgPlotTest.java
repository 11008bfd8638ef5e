package io.testudo.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.plot.Series.Point;
import io.testudo.bench.plot.SvgPlot.Scale;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class SvgPlotTest {
  private static final ImmutableList<Point> POINTS =
      ImmutableList.of(
          new Point(1, 0.5, 0.25, 0.75), Point.exact(8, 3), new Point(512, 12.5, 11, 14.2));

  private static Document plot(Scale scale, String name) throws Exception {
    String svg =
        SvgPlot.svg(
            "Title",
            "contenders",
            "time",
            scale,
            ImmutableList.of(new Series(name, POINTS, false)));
    return parsed(svg);
  }

  private static Document parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }

  private static List<Element> elements(Document document, String tag) {
    NodeList nodes = document.getElementsByTagName(tag);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }

  private static List<String> texts(Document document) {
    return elements(document, "text").stream().map(Element::getTextContent).toList();
  }

  /** Each point is a mark that is seen, and a place for a finger around it. */
  private static List<Element> reaches(Document document) {
    return elements(document, "circle").stream()
        .filter(circle -> circle.hasAttribute("fill-opacity"))
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void drawsEveryPointInsideItsAxes(Scale scale) throws Exception {
    List<Element> circles = reaches(plot(scale, "series"));

    assertThat(circles).hasSize(3);
    assertThat(circles)
        .allSatisfy(
            circle -> {
              assertThat(Double.parseDouble(circle.getAttribute("cx"))).isBetween(62.0, 502.0);
              assertThat(Double.parseDouble(circle.getAttribute("cy"))).isBetween(64.0, 294.0);
            });
    // Larger figures are higher up, and the x-axis is logarithmic: 8 is a third of the way to 512.
    assertThat(circles.get(0).getAttribute("cx")).isEqualTo("62.0");
    assertThat(circles.get(1).getAttribute("cx")).isEqualTo("208.7");
    assertThat(circles.get(2).getAttribute("cx")).isEqualTo("502.0");
    assertThat(circles.stream().map(circle -> Double.valueOf(circle.getAttribute("cy"))))
        .isSortedAccordingTo((one, other) -> Double.compare(other, one));
  }

  @Test
  void labelsChosenPlacesAndRoundNumbers() throws Exception {
    assertThat(texts(plot(Scale.LINEAR, "series")))
        .contains("Title", "contenders", "time", "series", "1", "8", "512", "0", "10", "15");
    assertThat(texts(plot(Scale.LOGARITHMIC, "series"))).contains("0.1", "1", "10", "100");
  }

  @Test
  void labelsPowersOfTwoWhereThereAreManyPlaces() throws Exception {
    ImmutableList.Builder<Point> points = ImmutableList.builder();
    for (int i = 1; i <= 4_096; i *= 2) {
      points.add(Point.exact(i, 1));
    }
    String svg =
        SvgPlot.svg(
            "", "", "", Scale.LINEAR, ImmutableList.of(new Series("", points.build(), false)));
    assertThat(texts(parsed(svg))).contains("1", "4", "64", "4,096").doesNotContain("2", "8");
  }

  @Test
  void breaksALongTitleIntoLines() throws Exception {
    String title = "word ".repeat(20).strip();
    String svg =
        SvgPlot.svg(
            title,
            "",
            "",
            Scale.LINEAR,
            ImmutableList.of(new Series("", ImmutableList.of(Point.exact(1, 1)), false)));
    assertThat(texts(parsed(svg)).get(0) + " " + texts(parsed(svg)).get(1)).isEqualTo(title);
  }

  @Test
  void drawsALinearAxisFromZero() throws Exception {
    String svg =
        SvgPlot.svg(
            "",
            "rate",
            Scale.LINEAR,
            "",
            Scale.LINEAR,
            ImmutableList.of(
                new Series(
                    "",
                    ImmutableList.of(Point.exact(0, 1), Point.exact(2, 1), Point.exact(8, 2)),
                    false)));
    assertThat(reaches(parsed(svg)))
        .extracting(circle -> circle.getAttribute("cx"))
        .containsExactly("62.0", "172.0", "502.0");
    assertThat(texts(parsed(svg))).contains("0", "2", "8");
  }

  @Test
  void escapesNames() throws Exception {
    assertThat(texts(plot(Scale.LINEAR, "a < b & \"c\""))).contains("a < b & \"c\"");
  }

  @Test
  void refusesToPlotNothing() {
    assertThatThrownBy(() -> SvgPlot.svg("", "", "", Scale.LINEAR, ImmutableList.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
