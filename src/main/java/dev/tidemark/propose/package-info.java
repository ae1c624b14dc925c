/** Proposes declarations of feeds for the tables and views of a database. */
package dev.tidemark.propose;
