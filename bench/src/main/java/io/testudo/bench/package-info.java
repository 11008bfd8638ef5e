/**
 * The room of the bench: response time under contention, side by side with peers. It has no content
 * yet; the rules of the whole house live in its tests, because bench alone sees every room.
 */
@NullMarked
package io.testudo.bench;

import org.jspecify.annotations.NullMarked;
