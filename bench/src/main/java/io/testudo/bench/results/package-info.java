/**
 * What every bench leaves behind, in one shape: what was run on what, and figures with their spread
 * (docs/bench-results.md).
 */
@NullMarked
package io.testudo.bench.results;

import org.jspecify.annotations.NullMarked;
