/** The language of keyset pages: positions, gaps between items, and pages. Nothing here knows a database or a wire. */
package dev.tidemark.paging;
