/**
 * The durable log of a server machine: one file, appended to, synced in groups, replaced as a whole
 * by a snapshot. See docs/journal.md for its format and what it promises.
 */
@NullMarked
package io.testudo.quorum.journal;

import org.jspecify.annotations.NullMarked;
