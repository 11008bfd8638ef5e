/** The connections to a whole cluster: which machines its servers have, and how they are asked. */
@NullMarked
package io.testudo.client.cluster;

import org.jspecify.annotations.NullMarked;
