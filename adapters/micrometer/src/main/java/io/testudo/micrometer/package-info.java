/** Meters of a client. */
@NullMarked
package io.testudo.micrometer;

import org.jspecify.annotations.NullMarked;
