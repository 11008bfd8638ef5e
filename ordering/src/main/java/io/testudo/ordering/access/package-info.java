/** Replicated objects on connections to servers: {@code ObjectClient}. */
@NullMarked
package io.testudo.ordering.access;

import org.jspecify.annotations.NullMarked;
