/**
 * {@code testudo bench contention}: how long contenders wait for each other, in virtual time. The
 * machines of the backoff mutex are the real ones; the network is the model of Chockler, Malkhi and
 * Reiter (ICDCS 2001).
 */
@NullMarked
package io.testudo.bench.contention;

import org.jspecify.annotations.NullMarked;
