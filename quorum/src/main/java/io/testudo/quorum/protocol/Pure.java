package io.testudo.quorum.protocol;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a package whose code is a function of its inputs: no clock, no thread, no lock, no random
 * source, no input or output. That is what lets a run be replayed from its seed. The build fails on
 * a class that breaks it, and on a {@link Machine} that lives in a package without the mark.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PACKAGE)
public @interface Pure {}
