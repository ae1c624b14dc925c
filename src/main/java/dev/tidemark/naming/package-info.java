/** The names of query parameters, what names of columns suggest, suggestions for wrong names, and names in SQL. */
package dev.tidemark.naming;
