/**
 * What every member of a cluster is told beforehand: who the servers are, how channels prove
 * identity, which principal may do what, and the keys for it. See docs/identity.md.
 */
@NullMarked
package io.testudo.quorum.cluster;

import org.jspecify.annotations.NullMarked;
