/**
 * What a driver of {@code testudo bench peers} is made of: a process that starts the servers of one
 * system, connects clients to them, and does the same work as all others when it is told to on its
 * standard input. It needs nothing but the JDK, HdrHistogram and {@code io.testudo.bench.measure},
 * so that a driver has no libraries on its class path but those of its peer.
 */
@NullMarked
package io.testudo.bench.driver;

import org.jspecify.annotations.NullMarked;
