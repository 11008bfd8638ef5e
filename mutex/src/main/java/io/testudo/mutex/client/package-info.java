/**
 * Locks on connections to servers: {@link io.testudo.mutex.client.LockClient}. It drives any lock
 * protocol that answers the calls of {@code io.testudo.mutex.protocol}.
 */
@NullMarked
package io.testudo.mutex.client;

import org.jspecify.annotations.NullMarked;
