/** Locks of ShedLock on Testudo. */
@NullMarked
package io.testudo.shedlock;

import org.jspecify.annotations.NullMarked;
