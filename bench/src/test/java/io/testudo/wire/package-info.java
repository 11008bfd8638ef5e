/** Our bytes beside those of protobuf itself, for every message and record of every module. */
@NullMarked
package io.testudo.wire;

import org.jspecify.annotations.NullMarked;
