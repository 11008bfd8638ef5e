/** Specifications in TLA+, checked by TLC: docs/tla.md. */
@NullMarked
package io.testudo.ordering.tla;

import org.jspecify.annotations.NullMarked;
