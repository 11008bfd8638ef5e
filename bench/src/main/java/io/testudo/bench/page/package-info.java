/** Results for people: one page without anything from elsewhere, tables in Markdown, plots. */
@NullMarked
package io.testudo.bench.page;

import org.jspecify.annotations.NullMarked;
