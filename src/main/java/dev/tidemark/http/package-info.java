/** The wire: requests into lists and pages, rows into JSON, and everything that can go wrong into one catalogue. */
package dev.tidemark.http;
