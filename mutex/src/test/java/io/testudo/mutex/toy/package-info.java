/** A lock protocol that only a test knows: what it takes to add one. */
@NullMarked
package io.testudo.mutex.toy;

import org.jspecify.annotations.NullMarked;
