/** What a feed is: resolved, valid by construction, and free of how it was declared or is read. */
package dev.tidemark.feed;
