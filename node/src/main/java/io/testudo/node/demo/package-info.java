/** The demo: a cluster in one process, clients that use it, a server that lies, and checks. */
@NullMarked
package io.testudo.node.demo;

import org.jspecify.annotations.NullMarked;
