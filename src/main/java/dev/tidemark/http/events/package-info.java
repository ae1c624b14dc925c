/** Streams of server-sent events: their pace, their heartbeats, their number, and their end. */
@NullMarked
package dev.tidemark.http.events;

import org.jspecify.annotations.NullMarked;
