/** The driver of Apache ZooKeeper. */
@NullMarked
package io.testudo.peers.zookeeper;

import org.jspecify.annotations.NullMarked;
