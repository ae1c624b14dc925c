/** Checks the settings for bearer tokens, which feeds with roles or a scope need. */
package dev.tidemark.declare.tokens;
