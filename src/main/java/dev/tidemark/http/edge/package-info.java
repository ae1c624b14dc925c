/** What happens to a request before a resource sees it, and to an answer after. */
package dev.tidemark.http.edge;
