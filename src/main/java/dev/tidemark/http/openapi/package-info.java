/** The OpenAPI document of the declared feeds. */
@NullMarked
package dev.tidemark.http.openapi;

import org.jspecify.annotations.NullMarked;
