/** What configuration files say to a client, and what all members of a cluster agree on. */
@NullMarked
package io.testudo.client.config;

import org.jspecify.annotations.NullMarked;
