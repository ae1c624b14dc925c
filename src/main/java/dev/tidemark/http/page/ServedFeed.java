package dev.tidemark.http.page;

import dev.tidemark.feed.ColumnType.EnumType;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Filter;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.http.caching.ConditionalResponses;
import dev.tidemark.http.caching.Vary;
import dev.tidemark.http.json.ItemWriter;
import dev.tidemark.http.json.KeyWriter;
import dev.tidemark.http.json.PageItems;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.query.ListParser;
import dev.tidemark.paging.PageRequest;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.core.MediaType;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;

/**
 * A feed, with the parser, the writers, the metrics, and the headers that all of its requests share.
 *
 * @param listParser parses the order and the filters of a request
 * @param itemWriter writes items with all columns of the feed
 * @param comparesEnums whether a filter, an order, or the key has a column of an enum type
 * @param wideColumns the columns that statements omit if a request does not return them
 * @param keyWriter writes the keys of items; empty if the items do not show them
 */
public record ServedFeed(
        Feed feed,
        ListParser listParser,
        boolean comparesEnums,
        ItemWriter itemWriter,
        WideColumns wideColumns,
        Optional<KeyWriter> keyWriter,
        PageMetrics metrics,
        PageHeaders headers) {

    static ServedFeed of(Feed feed, MeterRegistry registry, Vary vary) {
        return new ServedFeed(
                feed,
                new ListParser(feed),
                comparesEnums(feed),
                ItemWriter.of(feed),
                WideColumns.of(feed),
                feed.relation().hasKey()
                                && feed.columns().containsAll(feed.relation().key())
                        ? Optional.of(KeyWriter.of(feed))
                        : Optional.empty(),
                new PageMetrics(feed, registry),
                PageHeaders.of(feed, vary));
    }

    private static boolean comparesEnums(Feed feed) {
        return Stream.concat(
                        feed.filters().values().stream().map(Filter::column),
                        feed.orders().all().stream()
                                .flatMap(order -> order.keys().stream())
                                .map(OrderKey::column))
                .anyMatch(column -> column.type() instanceof EnumType);
    }

    /**
     * Returns the writer of the items of one page.
     *
     * @param fields the columns to write; empty for all
     */
    public PageItems pageItems(Optional<Set<String>> fields, int maxBytes) {
        return new PageItems(fields.map(itemWriter::withColumns).orElse(itemWriter), keyWriter, maxBytes);
    }

    /**
     * Returns the request without the columns that its page does not return, and that are worth omitting.
     *
     * @param fields the columns that the page returns; empty for all
     */
    public PageRequest forFields(PageRequest request, Optional<Set<String>> fields) {
        return fields.isEmpty() ? request : request.omitting(wideColumns.omitted(fields));
    }

    /** @throws Problem {@code not_supported} if the feed has no key, and therefore no positions for cursors */
    public void requireCursors() {
        if (!feed.relation().hasKey()) {
            throw Problem.of(
                    ProblemCode.NOT_SUPPORTED,
                    "this feed has no key that identifies its rows, so it has no cursors; it is served at /v3/"
                            + feed.name());
        }
    }

    /** Begins a response that must not be cached, because it is correct only at the time of the request. */
    public <T> ResponseBuilder<T> uncacheableResponse() {
        return ResponseBuilder.<T>create(RestResponse.Status.OK)
                .header("Cache-Control", "no-store")
                .header("Vary", headers.vary());
    }

    /** Begins the response with a stream. */
    public ResponseBuilder<Object> streamResponse() {
        // Keeps proxies from buffering the stream.
        return uncacheableResponse().header("X-Accel-Buffering", "no");
    }

    /** The response to a HEAD request for a stream. */
    public RestResponse<Object> headOfStream() {
        return streamResponse()
                .type(MediaType.SERVER_SENT_EVENTS + ";charset=UTF-8")
                .build();
    }

    /** Returns the response with a page, and counts the page as served. */
    public RestResponse<byte[]> respond(HttpServerRequest request, WrittenPage page) {
        metrics.record(page);
        headers.set(request, page);
        return ConditionalResponses.taggedResponse(request, page.body());
    }
}
