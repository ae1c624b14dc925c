/** The examples in the OpenAPI document: what the server answers about made-up rows, written by the classes that write responses. */
package dev.tidemark.http.openapi.example;
