/** What {@code testudo ring} shows: a ring on sockets that loses members while locks are held. */
@NullMarked
package io.testudo.node.ring;

import org.jspecify.annotations.NullMarked;
