package io.testudo.node;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.testudo.node.log.Printable;
import java.util.regex.Pattern;

/**
 * The output contract of all commands: one JSON object per line, names in camelCase with the unit
 * at the end, a field that does not apply left out.
 */
public final class JsonLines {
  private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();
  private static final Pattern CAMEL_CASE = Pattern.compile("[a-z][a-zA-Z0-9]*");

  private JsonLines() {}

  /**
   * One line, without its end.
   *
   * @param row a record, whose null components are left out, or a map with strings as keys
   */
  public static String line(Object row) {
    JsonElement tree = GSON.toJsonTree(row);
    checkArgument(tree.isJsonObject(), "a row must be an object, this is %s", tree);
    JsonObject object = tree.getAsJsonObject();
    for (String name : object.keySet()) {
      checkArgument(
          CAMEL_CASE.matcher(name).matches(), "the name of a field must be camelCase: %s", name);
    }
    // What is left of control characters stands in strings, where JSON takes such escapes, too.
    return Printable.of(GSON.toJson(object));
  }
}
