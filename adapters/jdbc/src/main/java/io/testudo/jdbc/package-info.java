/** Fencing tokens that a database checks. */
@NullMarked
package io.testudo.jdbc;

import org.jspecify.annotations.NullMarked;
