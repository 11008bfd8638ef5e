package io.testudo.node;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** One run of the command in this process. */
public record OneCommand(int code, String out, String err) {
  public static OneCommand run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    return new OneCommand(code, out.toString(), err.toString());
  }

  /** The lines of the output. */
  public List<String> lines() {
    return out.lines().toList();
  }
}
