/**
 * The bench: response times and rates, beside a floor and beside peers. {@link
 * io.testudo.bench.BenchCommand} is its command; {@code measure} is the core, {@code floor} the
 * floor, {@code process} keeps servers in processes of their own, {@code report} prints, and each
 * measurement has a package of its own. The rules of the whole house live in its tests, because
 * bench alone sees every room.
 */
@NullMarked
package io.testudo.bench;

import org.jspecify.annotations.NullMarked;
