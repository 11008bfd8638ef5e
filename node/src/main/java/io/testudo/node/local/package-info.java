/** A whole cluster in one process, made and configured as any other. */
@NullMarked
package io.testudo.node.local;

import org.jspecify.annotations.NullMarked;
