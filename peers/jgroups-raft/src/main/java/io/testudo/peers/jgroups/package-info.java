/** The driver of jgroups-raft. */
@NullMarked
package io.testudo.peers.jgroups;

import org.jspecify.annotations.NullMarked;
