/** The wire's word for a place in a list: positions sealed into tokens, bound to a list state, under rotating keys. */
package dev.tidemark.cursor;
