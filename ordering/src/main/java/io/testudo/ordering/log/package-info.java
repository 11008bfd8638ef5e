/**
 * The log of a replicated object and the rule by which its next entry is chosen: entries,
 * snapshots, sessions, ranks and what a server writes down of them. The protocol orders operations
 * by ranks, after section 5 of Chockler, Malkhi and Reiter (ICDCS 2001); see docs/ordering.md.
 */
@NullMarked
@Pure
package io.testudo.ordering.log;

import io.testudo.quorum.protocol.Pure;
import org.jspecify.annotations.NullMarked;
