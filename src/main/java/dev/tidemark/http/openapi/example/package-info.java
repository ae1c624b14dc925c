/**
 * The examples in the OpenAPI document: responses with made-up rows, written by the classes that write real responses.
 */
@NullMarked
package dev.tidemark.http.openapi.example;

import org.jspecify.annotations.NullMarked;
