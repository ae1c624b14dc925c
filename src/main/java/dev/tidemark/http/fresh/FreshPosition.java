package dev.tidemark.http.fresh;

import dev.tidemark.feed.ListState;
import dev.tidemark.http.access.Caller;
import dev.tidemark.paging.Continuation;

/** A position in a list, for a caller. Items beyond it are new. */
record FreshPosition(ListState state, Continuation from, Caller caller) {}
