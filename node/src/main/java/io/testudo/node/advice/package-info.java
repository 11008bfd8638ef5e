/** {@code testudo advise}: which lock backend fits a deployment, and what to expect of it. */
@NullMarked
package io.testudo.node.advice;

import org.jspecify.annotations.NullMarked;
