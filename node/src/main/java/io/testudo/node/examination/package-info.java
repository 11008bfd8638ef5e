/**
 * Examines what servers say: conversations of which the right answers are known, so that a wrong
 * one is evidence and not a mere difference between servers.
 */
@NullMarked
package io.testudo.node.examination;

import org.jspecify.annotations.NullMarked;
