/**
 * What the parts of an operation cost, each alone, by JMH. Classes with benchmarks are public and
 * not final because JMH makes classes that extend them.
 */
@NullMarked
package io.testudo.bench.micro;

import org.jspecify.annotations.NullMarked;
