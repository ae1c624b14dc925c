/** {@code GET /api/{feed}} with {@code Accept: application/x-ndjson}: streams a list, line by line. */
package dev.tidemark.http.export;
