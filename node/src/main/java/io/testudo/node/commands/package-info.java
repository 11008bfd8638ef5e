/** The commands for operators and users of a cluster, one class each. */
@NullMarked
package io.testudo.node.commands;

import org.jspecify.annotations.NullMarked;
