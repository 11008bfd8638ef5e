module orders {
  requires io.testudo.client;
}
