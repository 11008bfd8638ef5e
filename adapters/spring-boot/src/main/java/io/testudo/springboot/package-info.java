/** What Spring Boot sets up for a client by itself. */
@NullMarked
package io.testudo.springboot;

import org.jspecify.annotations.NullMarked;
