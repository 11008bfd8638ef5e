/** Makes the files of a cluster: descriptions, keys, configurations, empty journals. */
@NullMarked
package io.testudo.node.setup;

import org.jspecify.annotations.NullMarked;
