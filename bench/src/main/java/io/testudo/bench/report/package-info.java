/** What the bench found, for programs and for people. */
@NullMarked
package io.testudo.bench.report;

import org.jspecify.annotations.NullMarked;
