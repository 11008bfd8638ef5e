/** Plots as SVG, written without a library: the same figures give the same bytes. */
@NullMarked
package io.testudo.bench.plot;

import org.jspecify.annotations.NullMarked;
