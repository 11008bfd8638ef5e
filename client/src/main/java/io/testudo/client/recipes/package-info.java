/**
 * Recipes on locks and replicated objects: a leader, permits, readers and writers, a latch, a
 * barrier, a sequence. They are had from {@code TestudoClient}.
 */
@NullMarked
package io.testudo.client.recipes;

import org.jspecify.annotations.NullMarked;
