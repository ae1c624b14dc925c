/** An embedded PostgreSQL for the try-it run. Excluded from the deployed package. */
@NullMarked
package dev.tidemark.local;

import org.jspecify.annotations.NullMarked;
