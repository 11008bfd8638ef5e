/** Types of objects as applications define them, made into what the protocol orders. */
@NullMarked
package io.testudo.ordering.typed;

import org.jspecify.annotations.NullMarked;
