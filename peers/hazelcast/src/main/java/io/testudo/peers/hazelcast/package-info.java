/** The driver of Hazelcast. */
@NullMarked
package io.testudo.peers.hazelcast;

import org.jspecify.annotations.NullMarked;
