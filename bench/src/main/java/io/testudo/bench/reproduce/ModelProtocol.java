package io.testudo.bench.reproduce;

import io.testudo.bench.strawman.RandomRetry;
import io.testudo.bench.strawman.StrawmanClient;
import io.testudo.bench.strawman.StrawmanServer;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.sigma.SigmaClient;
import io.testudo.mutex.sigma.SigmaServer;
import io.testudo.mutex.sigma.SigmaTuning;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.spi.Entropy;

/** A protocol whose real machines are put into the model. */
interface ModelProtocol {
  String name();

  /** A server that remembers nothing. */
  Machine<ClientId> newServer(ServerId self, Entropy entropy);

  Machine<ServerId> newClient(ClientId id, Entropy entropy);

  /** Sigma without quarantine, which would outlast the life of many a server. */
  static ModelProtocol sigma(Thresholds thresholds, LockTiming timing) {
    return new ModelProtocol() {
      @Override
      public String name() {
        return "sigma";
      }

      @Override
      public Machine<ClientId> newServer(ServerId self, Entropy entropy) {
        return new SigmaServer(timing, SigmaTuning.standard(), LockScope.everything(), entropy);
      }

      @Override
      public Machine<ServerId> newClient(ClientId id, Entropy entropy) {
        return new SigmaClient(thresholds, timing, SigmaTuning.standard(), entropy);
      }
    };
  }

  /** The strawman, with the sleeps of the design. */
  static ModelProtocol strawman(Thresholds thresholds, LockTiming timing) {
    return new ModelProtocol() {
      @Override
      public String name() {
        return "strawman";
      }

      @Override
      public Machine<ClientId> newServer(ServerId self, Entropy entropy) {
        return new StrawmanServer(timing, LockScope.everything());
      }

      @Override
      public Machine<ServerId> newClient(ClientId id, Entropy entropy) {
        return new StrawmanClient(thresholds, timing, RandomRetry.standard(), entropy);
      }
    };
  }
}
