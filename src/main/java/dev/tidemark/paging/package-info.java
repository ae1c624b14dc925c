/** The concepts of paging: positions, gaps between items, and pages. Independent of the database and of HTTP. */
@NullMarked
package dev.tidemark.paging;

import org.jspecify.annotations.NullMarked;
