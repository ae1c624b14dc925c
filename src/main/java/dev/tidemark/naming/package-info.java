/** Suggests names in place of wrong ones. */
package dev.tidemark.naming;
