package io.testudo.client.cluster;

import io.testudo.quorum.TestudoException;
import io.testudo.quorum.runtime.CallListener;

/** For calls of which nobody wants to know how they end. */
enum Unheard implements CallListener<Boolean> {
  INSTANCE;

  @Override
  public void completed(Boolean result) {}

  @Override
  public void failed(TestudoException reason) {}
}
