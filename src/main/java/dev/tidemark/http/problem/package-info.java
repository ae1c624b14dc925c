/** The error catalogue, and the responses, counts and log lines for problems. */
@NullMarked
package dev.tidemark.http.problem;

import org.jspecify.annotations.NullMarked;
