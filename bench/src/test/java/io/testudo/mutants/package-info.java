/**
 * Seeded bugs that the tests must catch. {@link io.testudo.mutants.MutantFiles} reads them, {@link
 * io.testudo.mutants.MutantRunner} tries one on a copy of its module; how to write and run them is
 * in docs/mutants.md.
 */
@NullMarked
package io.testudo.mutants;

import org.jspecify.annotations.NullMarked;
