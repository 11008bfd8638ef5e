/** The launcher script, tried with a Maven and a Java that only note how they were called. */
@NullMarked
package io.testudo.launcher;

import org.jspecify.annotations.NullMarked;
