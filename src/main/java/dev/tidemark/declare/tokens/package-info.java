/** Checks the settings for bearer tokens. Feeds with roles or a scope require tokens. */
package dev.tidemark.declare.tokens;
