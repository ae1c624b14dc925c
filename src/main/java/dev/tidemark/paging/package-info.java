/** The concepts of paging: positions, gaps between items, and pages. Independent of the database and of HTTP. */
package dev.tidemark.paging;
