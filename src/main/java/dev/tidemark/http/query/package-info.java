/** Query strings as typed queries. */
package dev.tidemark.http.query;
