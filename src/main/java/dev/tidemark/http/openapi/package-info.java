/** The OpenAPI document of the declared feeds. */
package dev.tidemark.http.openapi;
