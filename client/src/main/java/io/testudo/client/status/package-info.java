/** How a cluster is. */
@NullMarked
package io.testudo.client.status;

import org.jspecify.annotations.NullMarked;
