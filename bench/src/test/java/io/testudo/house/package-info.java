/** Where the sources of all modules lie: for the tests that read them. */
@NullMarked
package io.testudo.house;

import org.jspecify.annotations.NullMarked;
