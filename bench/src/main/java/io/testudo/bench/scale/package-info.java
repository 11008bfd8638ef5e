/** How the load of servers and the response grow with the number of servers. */
@NullMarked
package io.testudo.bench.scale;

import org.jspecify.annotations.NullMarked;
