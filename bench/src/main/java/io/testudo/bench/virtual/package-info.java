/** Real machines in virtual time: for models of the papers, without sockets, faults or disks. */
@NullMarked
package io.testudo.bench.virtual;

import org.jspecify.annotations.NullMarked;
