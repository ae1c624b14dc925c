/** The connections of clients: what they send before a request, what they leave unread, and how they end. */
@NullMarked
package dev.tidemark.http.connections;

import org.jspecify.annotations.NullMarked;
