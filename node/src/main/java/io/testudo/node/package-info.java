/**
 * The {@code testudo} command: one class per subcommand. {@link io.testudo.node.Main} finds them,
 * {@link io.testudo.node.Output} prints what they find, {@link io.testudo.node.ExitCode} says how
 * it went.
 */
@NullMarked
package io.testudo.node;

import org.jspecify.annotations.NullMarked;
