/**
 * What all lock protocols share: the calls of an application, ranks and their clock, the term of a
 * lease, and the time bounds.
 */
@NullMarked
@Pure
package io.testudo.mutex.protocol;

import io.testudo.quorum.protocol.Pure;
import org.jspecify.annotations.NullMarked;
