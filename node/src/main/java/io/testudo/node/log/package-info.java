/** How the command logs: lines for people, or one JSON object per line. */
@NullMarked
package io.testudo.node.log;

import org.jspecify.annotations.NullMarked;
