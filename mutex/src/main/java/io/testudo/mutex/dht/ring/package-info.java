/**
 * A ring on sockets: the machines of {@link io.testudo.mutex.dht.DhtNode} in processes that dial
 * each other, and clients beside them. It is a runtime: it has threads, clocks and real chance, and
 * no step of a protocol. See docs/dht.md.
 */
@NullMarked
package io.testudo.mutex.dht.ring;

import org.jspecify.annotations.NullMarked;
