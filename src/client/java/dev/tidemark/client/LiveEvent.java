package dev.tidemark.client;

/**
 * An event of the window of a list, as the server sent it, for {@link KeptList#apply}.
 *
 * @param name {@code page}, {@code change}, or a name that a newer server uses
 * @param id the moment up to which the window is true after the event
 * @param data the JSON text
 */
public record LiveEvent(String name, String id, String data) {}
