/**
 * The rules of the house that the compiler cannot check. {@link io.testudo.rules.ModuleRulesTest}
 * is a test of every other module; what needs the sources of all of them is among the tests here,
 * beside those that show each rule firing.
 *
 * <p>Rules on compiled classes are built for a root package, so that they can be tried on the small
 * houses in {@code fixtures}; rules on sources read text, so that a test can hand them a few lines.
 */
@NullMarked
package io.testudo.rules;

import org.jspecify.annotations.NullMarked;
