/** The driver of etcd, by jetcd. */
@NullMarked
package io.testudo.peers.etcd;

import org.jspecify.annotations.NullMarked;
