/** The names of query parameters, and suggestions for wrong names of any kind. */
package dev.tidemark.naming;
