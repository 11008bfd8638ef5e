/**
 * The figures of the paper on the end-to-end and non end-to-end mutexes, beside those of the
 * machines here. See docs/dht.md.
 */
@NullMarked
package io.testudo.bench.rings;

import org.jspecify.annotations.NullMarked;
