/**
 * What is shown over HTTP: a small server, the status page, and the text of metrics. Where the
 * figures come from is the matter of others.
 */
@NullMarked
package io.testudo.node.web;

import org.jspecify.annotations.NullMarked;
