/** Parses query strings into typed queries. */
package dev.tidemark.http.query;
