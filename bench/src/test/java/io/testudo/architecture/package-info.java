/**
 * The rules of the house that the compiler cannot check, and tests that show each of them firing.
 * They live in bench because bench alone sees every room.
 *
 * <p>Rules on compiled classes are built for a root package, so that they can be tried on the small
 * houses in {@code fixtures}; rules on sources read text, so that a test can hand them a few lines.
 */
@NullMarked
package io.testudo.architecture;

import org.jspecify.annotations.NullMarked;
