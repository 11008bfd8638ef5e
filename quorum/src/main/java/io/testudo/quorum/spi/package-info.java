/**
 * What the outside must supply to a protocol machine: a way to send, a log, a clock, an alarm, and
 * chance. The simulator and the real runtime differ in these ports and in nothing else.
 */
@NullMarked
package io.testudo.quorum.spi;

import org.jspecify.annotations.NullMarked;
