/**
 * The examples in the OpenAPI document: responses with made-up rows, written by the classes that write real responses.
 */
package dev.tidemark.http.openapi.example;
