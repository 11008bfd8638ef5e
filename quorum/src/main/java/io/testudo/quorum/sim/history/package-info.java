/** Recorded histories of what applications did, and a search for an order that explains them. */
@NullMarked
package io.testudo.quorum.sim.history;

import org.jspecify.annotations.NullMarked;
