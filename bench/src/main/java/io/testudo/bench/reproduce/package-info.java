/**
 * {@code testudo simulate --protocol sigma --reproduce}: what the papers on Sigma claim, beside
 * what the machines here do in the same model, in virtual time.
 */
@NullMarked
package io.testudo.bench.reproduce;

import org.jspecify.annotations.NullMarked;
