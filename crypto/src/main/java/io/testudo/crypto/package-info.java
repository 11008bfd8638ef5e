/**
 * What keeps a liar from putting words into another's mouth: digests, message authentication codes,
 * signatures, and the seals that clients set on ranks and statements. Nothing here has a default
 * key.
 */
@NullMarked
package io.testudo.crypto;

import org.jspecify.annotations.NullMarked;
