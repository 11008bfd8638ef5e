/** Spans of locks. */
@NullMarked
package io.testudo.opentelemetry;

import org.jspecify.annotations.NullMarked;
