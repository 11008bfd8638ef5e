/** The driver of Redis, by Redisson. */
@NullMarked
package io.testudo.peers.redis;

import org.jspecify.annotations.NullMarked;
