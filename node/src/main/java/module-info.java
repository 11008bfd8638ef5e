/** The server daemon and the {@code testudo} command. */
module io.testudo.node {
  requires com.google.gson;
  requires info.picocli;
  requires transitive io.testudo.ordering;
  requires static transitive org.jspecify;
}
