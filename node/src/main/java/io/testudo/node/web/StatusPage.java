package io.testudo.node.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hashing;
import com.google.common.io.Resources;
import io.testudo.node.web.SmallHttpServer.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;

/**
 * The status page: one file that needs nothing else and holds no data. It asks for {@code status}
 * beside itself, again and again, and shows what it is told: a server, a member of a ring, or a
 * cluster. Whatever comes from there is put into it as text, and a policy lets nothing run or load
 * but its own script and styles.
 */
public final class StatusPage {
  private static final int OK = 200;

  private StatusPage() {}

  /** Made when somebody first looks: servers start without it. */
  private static final class Made {
    static final Answer PAGE = make();

    private static Answer make() {
      String style = resource("status.css");
      String script = resource("status.js");
      String policy =
          "default-src 'none'; style-src %s; script-src %s; connect-src 'self'; img-src data:;"
                  .formatted(hash(style), hash(script))
              + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
      String page =
          resource("status.html").replace("/*STYLE*/", style).replace("/*SCRIPT*/", script);
      return new Answer(OK, "text/html; charset=utf-8", page, policy);
    }

    private static String hash(String text) {
      byte[] digest = Hashing.sha256().hashString(text, UTF_8).asBytes();
      return "'sha256-%s'".formatted(Base64.getEncoder().encodeToString(digest));
    }

    private static String resource(String name) {
      try {
        return Resources.toString(Resources.getResource(StatusPage.class, name), UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** The page, the same for everybody. */
  public static Answer answer() {
    return Made.PAGE;
  }
}
