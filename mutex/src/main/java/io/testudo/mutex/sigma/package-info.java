/**
 * The crash-recovery mutex Sigma (Lin, Lian, Chen, Zhang 2004; Chen, Lin, Lian, Zhang 2005): queues
 * at servers that may lose their memory, with grant ids, leases and fencing. One round trip from a
 * release to the next entry. See docs/sigma.md.
 */
@NullMarked
@Pure
package io.testudo.mutex.sigma;

import io.testudo.quorum.protocol.Pure;
import org.jspecify.annotations.NullMarked;
