package io.testudo.client.inquiry;

/**
 * What a principal has reported of a server, as another server keeps it.
 *
 * @param lastWallMillis when it last did, on the clock of the server that keeps it
 */
public record SuspectReport(String reporter, Suspect suspect, long lastWallMillis) {}
