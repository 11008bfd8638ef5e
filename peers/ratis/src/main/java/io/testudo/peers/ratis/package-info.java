/** The driver of Apache Ratis. */
@NullMarked
package io.testudo.peers.ratis;

import org.jspecify.annotations.NullMarked;
