/**
 * The server machine of the ordering protocol: it stores what clients propose and commit, and runs
 * no code of an application. See docs/ordering.md.
 */
@NullMarked
@Pure
package io.testudo.ordering.server;

import io.testudo.quorum.protocol.Pure;
import org.jspecify.annotations.NullMarked;
