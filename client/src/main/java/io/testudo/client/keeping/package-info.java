/** Keeps what recipes have given out, with threads and clocks; not for applications. */
@NullMarked
package io.testudo.client.keeping;

import org.jspecify.annotations.NullMarked;
