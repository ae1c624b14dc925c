/** Streams of server-sent events: their pace, their heartbeats, their number, and their end. */
package dev.tidemark.http.events;
