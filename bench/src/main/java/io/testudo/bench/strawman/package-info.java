/**
 * The strawman of Lin, Lian, Chen and Zhang (IPTPS 2004), section III: ask all servers, enter with
 * enough grants, else give back what was granted and try again after a random time.
 *
 * <p><b>For comparison only.</b> It is what Sigma is measured against. Under contention its
 * throughput falls to nothing, and servers that lose their memory can let two in. See
 * docs/strawman.md.
 */
@NullMarked
@Pure
package io.testudo.bench.strawman;

import io.testudo.quorum.protocol.Pure;
import org.jspecify.annotations.NullMarked;
