/** {@code testudo bench ping}: full round trips to a quorum, beside the floor. */
@NullMarked
package io.testudo.bench.ping;

import org.jspecify.annotations.NullMarked;
