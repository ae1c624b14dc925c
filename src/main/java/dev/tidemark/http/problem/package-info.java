/** The error catalogue: creates, counts and logs the responses for problems. */
package dev.tidemark.http.problem;
