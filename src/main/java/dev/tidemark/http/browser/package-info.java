/** A page for looking at the declared feeds, with the SQL and the plans of its requests. Off by default. */
package dev.tidemark.http.browser;
