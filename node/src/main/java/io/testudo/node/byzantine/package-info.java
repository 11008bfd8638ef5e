/** A server machine that can turn into a liar and back, for the demo. */
@NullMarked
@Pure
package io.testudo.node.byzantine;

import io.testudo.quorum.protocol.Pure;
import org.jspecify.annotations.NullMarked;
