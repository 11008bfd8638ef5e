/** Locks of Spring Integration on Testudo. */
@NullMarked
package io.testudo.springintegration;

import org.jspecify.annotations.NullMarked;
