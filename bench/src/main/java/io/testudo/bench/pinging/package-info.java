/** {@code testudo bench ping}: full round trips to a quorum, beside the floor. */
@NullMarked
package io.testudo.bench.pinging;

import org.jspecify.annotations.NullMarked;
