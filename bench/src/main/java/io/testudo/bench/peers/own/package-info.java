/** The driver of Testudo itself, which stands in the table beside those of its peers. */
@NullMarked
package io.testudo.bench.peers.own;

import org.jspecify.annotations.NullMarked;
