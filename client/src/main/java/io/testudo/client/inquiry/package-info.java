/**
 * Questions that change nothing: how servers are, and what clients have reported of each of them.
 * {@link io.testudo.client.inquiry.Inquirer} asks all servers anything.
 */
@NullMarked
@Pure
package io.testudo.client.inquiry;

import io.testudo.quorum.protocol.Pure;
import org.jspecify.annotations.NullMarked;
