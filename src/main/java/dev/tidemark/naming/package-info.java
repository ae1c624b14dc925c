/** The names of query parameters, what names of columns suggest, and suggestions for wrong names. */
package dev.tidemark.naming;
