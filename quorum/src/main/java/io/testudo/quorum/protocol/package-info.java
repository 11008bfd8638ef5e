/**
 * The step contract: a protocol machine is a deterministic machine that takes an input and a moment
 * and returns effects. It performs none of them.
 */
@NullMarked
@Pure
package io.testudo.quorum.protocol;

import org.jspecify.annotations.NullMarked;
