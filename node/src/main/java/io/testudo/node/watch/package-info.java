/**
 * A cluster as an administrator's client sees it: the rows that commands and the status page show,
 * and who looks again and again for those who watch. See docs/operations.md.
 */
@NullMarked
package io.testudo.node.watch;

import org.jspecify.annotations.NullMarked;
