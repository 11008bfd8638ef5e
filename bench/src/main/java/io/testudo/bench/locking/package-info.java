/** {@code testudo bench lock}: turns at a lock, beside the bare round trip to a quorum. */
@NullMarked
package io.testudo.bench.locking;

import org.jspecify.annotations.NullMarked;
