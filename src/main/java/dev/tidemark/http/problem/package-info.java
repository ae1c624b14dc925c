/** The error catalogue: how a problem is answered, counted and logged. */
package dev.tidemark.http.problem;
