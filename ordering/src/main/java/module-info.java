/** The replicated object. */
module io.testudo.ordering {
  requires transitive io.testudo.mutex;
  requires static transitive org.jspecify;
}
