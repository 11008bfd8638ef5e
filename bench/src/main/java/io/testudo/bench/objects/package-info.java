/** {@code testudo bench object}: increments of a replicated counter. */
@NullMarked
package io.testudo.bench.objects;

import org.jspecify.annotations.NullMarked;
