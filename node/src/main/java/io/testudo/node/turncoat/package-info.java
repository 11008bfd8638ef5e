/** A server half that can turn into a liar and back, for the demo. */
@NullMarked
@Pure
package io.testudo.node.turncoat;

import io.testudo.quorum.protocol.Pure;
import org.jspecify.annotations.NullMarked;
