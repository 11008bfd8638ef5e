/** What docs/coming-from.md shows of this system. Nothing calls it: it is to compile. */
@NullMarked
package io.testudo.peers.etcd.examples;

import org.jspecify.annotations.NullMarked;
