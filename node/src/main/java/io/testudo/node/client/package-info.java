/** A cluster as commands use it: connections by a client's configuration. */
@NullMarked
package io.testudo.node.client;

import org.jspecify.annotations.NullMarked;
