/** The distributed lock and the protocols behind it. */
module io.testudo.mutex {
  requires transitive io.testudo.quorum;
  requires static transitive org.jspecify;
}
