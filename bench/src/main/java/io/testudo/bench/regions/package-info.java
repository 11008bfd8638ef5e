/** What locks and objects cost between regions of the world, in virtual time. */
@NullMarked
package io.testudo.bench.regions;

import org.jspecify.annotations.NullMarked;
