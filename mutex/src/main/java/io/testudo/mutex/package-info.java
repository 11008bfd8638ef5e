/**
 * The distributed lock: what an application sees of it. The protocols are in the packages below.
 */
@NullMarked
package io.testudo.mutex;

import org.jspecify.annotations.NullMarked;
