/**
 * A whole ring in virtual time, one thread and one seed a run: faults, churn, workloads and
 * checkers for the mutexes over a distributed hash table.
 */
@NullMarked
package io.testudo.mutex.dht.sim;

import org.jspecify.annotations.NullMarked;
