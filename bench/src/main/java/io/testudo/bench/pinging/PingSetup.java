package io.testudo.bench.pinging;

import io.testudo.bench.floor.Connections;

/**
 * A cluster to ping.
 *
 * @param byzantine how many of the servers it is made for to lie
 * @param answersAwaited how many servers have to answer before a ping is done
 */
public record PingSetup(int servers, int byzantine, int answersAwaited, Connections connections) {}
