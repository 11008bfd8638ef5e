/** Servers in a process of their own, so that they do not share a heap with what measures them. */
@NullMarked
package io.testudo.bench.process;

import org.jspecify.annotations.NullMarked;
