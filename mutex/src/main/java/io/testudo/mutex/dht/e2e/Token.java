package io.testudo.mutex.dht.e2e;

import io.testudo.mutex.dht.vote.RequestId;

/**
 * The right to hold a lock that goes from holder to holder with the queue. The votes belong to it
 * as long as it lives.
 *
 * @param winner the request that has won the votes
 * @param seq how often it was handed on; of each number there is one holder
 */
public record Token(RequestId winner, long seq) {
  static Token first(RequestId winner) {
    return new Token(winner, 0);
  }

  Token next() {
    return new Token(winner, seq + 1);
  }
}
