/** Replicated objects that come ready: counter, register, map, queue, append-only log. */
@NullMarked
package io.testudo.ordering.objects;

import org.jspecify.annotations.NullMarked;
