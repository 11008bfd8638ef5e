/**
 * Configuration files of servers and clients, in HOCON. What all members of a cluster must agree on
 * is in {@link io.testudo.client.config.CommonSettings}. See docs/operations.md.
 */
@NullMarked
package io.testudo.node.config;

import org.jspecify.annotations.NullMarked;
