/**
 * Messages and state records as bytes. The protobuf schema is the published contract; inside, only
 * the records are used. Every length has a maximum that is checked before anything is parsed.
 */
@NullMarked
package io.testudo.quorum.wire;

import org.jspecify.annotations.NullMarked;
