/**
 * Who the servers are, which sets of them suffice, and how answers are counted. Every threshold of
 * every protocol is derived here and nowhere else.
 */
@NullMarked
package io.testudo.quorum;

import org.jspecify.annotations.NullMarked;
