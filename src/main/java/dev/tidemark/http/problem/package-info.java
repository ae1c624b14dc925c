/** The error catalogue, and the responses and counts for problems. */
@NullMarked
package dev.tidemark.http.problem;

import org.jspecify.annotations.NullMarked;
