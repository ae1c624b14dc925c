/** The concepts of keyset paging: positions, gaps between items, and pages. Independent of database and HTTP. */
package dev.tidemark.paging;
