/**
 * The timed backoff mutex of Chockler, Malkhi and Reiter (ICDCS 2001) with early release, renewal
 * and fencing. One round trip when nobody contends. See docs/backoff.md.
 */
@NullMarked
@Pure
package io.testudo.mutex.backoff;

import io.testudo.quorum.protocol.Pure;
import org.jspecify.annotations.NullMarked;
