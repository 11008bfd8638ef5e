package io.testudo.mutex.sigma;

/**
 * Client to server: INQUIRY, whom have you granted the lock?
 *
 * @param number counts what this server was sent in this epoch
 */
public record Inquiry(String lock, long contender, long time, long number) implements SigmaRequest {
  public Inquiry {
    SigmaRequest.checkHead(lock, time);
    SigmaRequest.checkNumber(number);
  }
}
