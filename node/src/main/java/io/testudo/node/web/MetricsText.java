package io.testudo.node.web;

import java.util.Locale;

/**
 * The text format of Prometheus (version 0.0.4). Written by hand: a library for it would double the
 * time that a server takes to start.
 */
public final class MetricsText {
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final StringBuilder text = new StringBuilder();

  public MetricsText() {}

  /** Begins a figure that goes up and down. */
  public void gauge(String name, String help) {
    head(name, help, "gauge");
  }

  /** Begins a figure that only goes up, but for restarts. */
  public void counter(String name, String help) {
    head(name, help, "counter");
  }

  /** A sum and a count. */
  public void summary(String name, String help, double sum, long count) {
    head(name, help, "summary");
    number(name + "_sum", sum);
    value(name + "_count", count);
  }

  private void head(String name, String help, String type) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  public void value(String name, long value) {
    text.append(name).append(' ').append(value).append('\n');
  }

  /** With a part of one, as seconds have. */
  public void number(String name, double value) {
    text.append(name).append(' ').append(decimal(value)).append('\n');
  }

  /**
   * With a label.
   *
   * @param labelValue one of a fixed set of ours, which needs no escapes
   */
  public void value(String name, String label, String labelValue, long value) {
    labelled(name, label, labelValue).append(value).append('\n');
  }

  /** The same with a part of one. */
  public void number(String name, String label, String labelValue, double value) {
    labelled(name, label, labelValue).append(decimal(value)).append('\n');
  }

  /** With two labels. */
  public void value(
      String name, String label, String labelValue, String other, String otherValue, long value) {
    text.append(name).append('{').append(label).append("=\"").append(labelValue).append("\",");
    text.append(other).append("=\"").append(otherValue).append("\"} ").append(value).append('\n');
  }

  private StringBuilder labelled(String name, String label, String labelValue) {
    text.append(name).append('{').append(label).append("=\"").append(labelValue).append("\"} ");
    return text;
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.6f", value);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
