/** What the measured clusters share: their keys, their servers in one process, their files. */
@NullMarked
package io.testudo.bench.cluster;

import org.jspecify.annotations.NullMarked;
