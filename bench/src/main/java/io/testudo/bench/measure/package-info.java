/**
 * The measuring core: loads of operations, rounds of several contestants in turn, and what the
 * machine did meanwhile. It knows nothing of networks; a {@link
 * io.testudo.bench.measure.Contestant} does.
 */
@NullMarked
package io.testudo.bench.measure;

import org.jspecify.annotations.NullMarked;
