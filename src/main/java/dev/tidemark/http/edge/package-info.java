/** Processes requests before they reach a resource, and responses afterwards. */
package dev.tidemark.http.edge;
