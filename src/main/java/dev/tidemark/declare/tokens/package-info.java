/** Checks the settings for bearer tokens. Feeds with roles or a scope require tokens. */
@NullMarked
package dev.tidemark.declare.tokens;

import org.jspecify.annotations.NullMarked;
