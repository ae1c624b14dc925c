package dev.tidemark.http.page;

import dev.tidemark.settings.Bounds;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings for the size of pages. */
@ConfigMapping(prefix = "tidemark")
public interface PageConfig {

    /**
     * The most bytes that the items of a page, or of one read of an export, have as JSON. A page ends before the item
     * that would exceed this. Of a single item that exceeds it, the largest values are left out.
     */
    @WithDefault("16M")
    @Bounds(min = "64K", max = "1G")
    MemorySize maxPageBytes();
}
