/**
 * All that Tidemark uses of Quarkus, Vert.x, and Netty but is not part of their public API. Look at these classes in
 * an upgrade; the contributing guide says which tests fail if one of them no longer works.
 */
@NullMarked
package dev.tidemark.framework;

import org.jspecify.annotations.NullMarked;
