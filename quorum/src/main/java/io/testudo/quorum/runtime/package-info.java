/**
 * Carries out what protocol machines ask for. The order "persist, then send" is stated here and
 * nowhere else.
 */
@NullMarked
package io.testudo.quorum.runtime;

import org.jspecify.annotations.NullMarked;
