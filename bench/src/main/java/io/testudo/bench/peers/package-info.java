/**
 * {@code testudo bench peers}: the same work for Testudo and for systems that people use today,
 * each driven by a process of its own with its own libraries.
 */
@NullMarked
package io.testudo.bench.peers;

import org.jspecify.annotations.NullMarked;
