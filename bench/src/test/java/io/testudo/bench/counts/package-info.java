/** What an operation costs, in counts that are the same on every machine. */
@NullMarked
package io.testudo.bench.counts;

import org.jspecify.annotations.NullMarked;
