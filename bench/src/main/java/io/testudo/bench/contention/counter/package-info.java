/**
 * {@code testudo bench contention --object}: how long clients of one replicated object wait for
 * each other, in virtual time. All machines are the real ones, with the timing that applications
 * get.
 */
@NullMarked
package io.testudo.bench.contention.counter;

import org.jspecify.annotations.NullMarked;
