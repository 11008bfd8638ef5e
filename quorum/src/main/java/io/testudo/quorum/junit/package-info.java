/** What tests of all modules share. */
@NullMarked
package io.testudo.quorum.junit;

import org.jspecify.annotations.NullMarked;
