/** Results of several runs beside each other. */
@NullMarked
package io.testudo.bench.comparing;

import org.jspecify.annotations.NullMarked;
