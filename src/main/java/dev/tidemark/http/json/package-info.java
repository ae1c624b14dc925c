/** Writes rows and documents as JSON. */
package dev.tidemark.http.json;
