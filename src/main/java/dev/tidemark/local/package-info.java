/** An embedded PostgreSQL for the try-it run. Excluded from the deployed package. */
package dev.tidemark.local;
