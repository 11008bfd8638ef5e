/** The {@code testudo} command: one class per subcommand. */
@NullMarked
package io.testudo.node;

import org.jspecify.annotations.NullMarked;
