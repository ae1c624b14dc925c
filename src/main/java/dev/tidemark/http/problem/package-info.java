/** The error catalogue, and the responses, counts and log lines for problems. */
package dev.tidemark.http.problem;
