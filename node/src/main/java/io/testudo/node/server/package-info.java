/**
 * The server as a process: its machines, its journals, its sockets, and what operators see of it.
 * The daemon and the development cluster share {@link io.testudo.node.server.ServerNode}.
 */
@NullMarked
package io.testudo.node.server;

import org.jspecify.annotations.NullMarked;
