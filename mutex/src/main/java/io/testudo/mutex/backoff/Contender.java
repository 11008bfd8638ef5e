package io.testudo.mutex.backoff;

import io.testudo.quorum.ClientId;

/** One who contends for a lock, as a server knows it. */
record Contender(ClientId client, long number) {}
