/**
 * The one thing an application imports: {@link io.testudo.client.TestudoClient} for its locks and
 * replicated objects.
 */
@NullMarked
package io.testudo.client;

import org.jspecify.annotations.NullMarked;
