/** A web page that shows the declared feeds, and the SQL and the plan of each page request. Off by default. */
@NullMarked
package dev.tidemark.http.browser;

import org.jspecify.annotations.NullMarked;
