/** An embedded PostgreSQL, so that one command shows Tidemark running. Not part of what is deployed. */
package dev.tidemark.local;
