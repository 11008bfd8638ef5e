package io.testudo.quorum.protocol;

import io.testudo.quorum.ServerId;

/**
 * A server said what no correct server says, whatever was late, lost or crossed. It is data, not an
 * error: the answer was dropped, and the reason is the evidence.
 */
public record Suspicion(ServerId server, String reason) implements Event {}
