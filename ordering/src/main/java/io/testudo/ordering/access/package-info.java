/**
 * Where applications get their replicated objects: {@code ObjectClient}; and servers for tests and
 * examples: {@code ObjectCluster}.
 */
@NullMarked
package io.testudo.ordering.access;

import org.jspecify.annotations.NullMarked;
