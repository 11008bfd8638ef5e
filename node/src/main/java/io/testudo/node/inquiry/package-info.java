/**
 * Questions that change nothing: how servers are, and what clients have reported of each of them.
 * {@link io.testudo.node.inquiry.Inquirer} asks all servers anything.
 */
@NullMarked
@Pure
package io.testudo.node.inquiry;

import io.testudo.quorum.protocol.Pure;
import org.jspecify.annotations.NullMarked;
