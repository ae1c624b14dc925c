package dev.tidemark.client;

import java.net.URI;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * One list: a feed in one order with one set of filters. Immutable and thread-safe; the methods that configure a list
 * return a new {@code FeedList}. A cursor can be used only with the order and the filters that it was read with, but
 * with any limit, fields, and count.
 *
 * <p>If a read fails, methods and streams throw a {@link FeedException}, and futures fail with one. Temporary failures
 * are {@linkplain Retry retried} first.
 *
 * @param <T> the type of the items
 */
public final class FeedList<T> {

    private final Transport transport;
    private final String url;
    private final ItemMapper<T> mapper;
    private final Map<String, List<String>> parameters;

    FeedList(Transport transport, String url, ItemMapper<T> mapper) {
        this(transport, url, mapper, Map.of());
    }

    private FeedList(Transport transport, String url, ItemMapper<T> mapper, Map<String, List<String>> parameters) {
        this.transport = transport;
        this.url = url;
        this.mapper = mapper;
        this.parameters = parameters;
    }

    /**
     * Returns this list with a filter, which replaces an earlier filter with the same name. An item must match all
     * filters.
     *
     * @param filter the name of a query parameter that filters the feed, such as {@code status}, {@code
     *     created_at.gte}, {@code subject.prefix}, or {@code assignee.is}
     * @param values one value, or several values of which an item must match one; without values, the filter is
     *     removed
     * @return a new list
     */
    public FeedList<T> where(String filter, String... values) {
        Map<String, List<String>> changed = new LinkedHashMap<>(parameters);
        changed.put(filter, List.of(values));
        return new FeedList<>(transport, url, mapper, changed);
    }

    /**
     * Returns this list in another order.
     *
     * @param name one of the feed's orders
     * @return a new list
     */
    public FeedList<T> order(String name) {
        return where("order", name);
    }

    /**
     * Returns the same list with another page size. The feed has a default and a maximum; the server lowers a larger
     * number to the maximum.
     *
     * @param items the number of items on a page
     * @return a new {@code FeedList}, with which the same cursors can be used
     */
    public FeedList<T> limit(int items) {
        return where("limit", Integer.toString(items));
    }

    /**
     * Returns the same list with items that have only these columns.
     *
     * @param columns the names of the columns to include
     * @return a new {@code FeedList}, with which the same cursors can be used
     */
    public FeedList<T> fields(String... columns) {
        return where("fields", String.join(",", columns));
    }

    /**
     * Returns the same list with pages that have a {@link Page#count}.
     *
     * @param precision {@code exact} or {@code estimate}, if the feed allows it
     * @return a new {@code FeedList}, with which the same cursors can be used
     */
    public FeedList<T> count(String precision) {
        return where("count", precision);
    }

    /**
     * Reads the first page.
     *
     * @return the page
     */
    public Page<T> page() {
        return page(PageStart.first());
    }

    /**
     * Reads a page. An interrupt cancels the request, and the interrupt flag stays set.
     *
     * @param start where the page starts
     * @return the page
     */
    public Page<T> page(PageStart start) {
        return await(pageAsync(start));
    }

    /**
     * Reads a page without blocking. Canceling the future cancels the request and its retries.
     *
     * @param start where the page starts
     * @return the page
     */
    public CompletableFuture<Page<T>> pageAsync(PageStart start) {
        return transport.get(uri(url, start), json -> Page.parse(json, mapper));
    }

    /**
     * Returns the pages of the whole list.
     *
     * @return a stream that reads each page on demand
     */
    public Stream<Page<T>> pages() {
        return pages(PageStart.first());
    }

    /**
     * Returns the pages from {@code start} forward to the end of the list, or to the cursor that
     * {@link PageStart#until} sets. The stream does not have to be closed, because it holds no connection between
     * pages. You can pause between pages for as long as you like, unless the server limits the lifetime of cursors.
     *
     * @param start where the first page starts
     * @return a stream that reads each page on demand
     */
    public Stream<Page<T>> pages(PageStart start) {
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(
                        new PageIterator(start), Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.IMMUTABLE),
                false);
    }

    /**
     * Returns the items of the whole list.
     *
     * @return a stream that reads each page when its first item is needed
     */
    public Stream<T> items() {
        return items(PageStart.first());
    }

    /**
     * Returns the items from {@code start} forward, like {@link #pages(PageStart)}.
     *
     * @param start where the first page starts
     * @return a stream that reads each page when its first item is needed
     */
    public Stream<T> items(PageStart start) {
        return pages(start).flatMap(page -> page.items().stream());
    }

    /**
     * Reads all items that are now before {@code top}, however many there are. Put these items before the items that
     * you keep. If items move in the order of the list, for example when they are edited, the result can also include
     * items that you keep.
     *
     * @param top {@link Page#top} of the first page that is kept, or {@link NewItems#top} of the previous call
     * @return the new items and the new top, which is {@code top} if there are none
     */
    public NewItems<T> newItems(String top) {
        List<Page<T>> pages = pages(PageStart.first().until(top)).toList();
        // The first pages of a search can have no items, and so no top of their own.
        Optional<String> newTop = pages.stream()
                .filter(page -> !page.items().isEmpty())
                .findFirst()
                .flatMap(Page::top)
                .or(() -> Optional.of(top));
        return new NewItems<>(
                pages.stream().flatMap(page -> page.items().stream()).toList(), newTop);
    }

    /**
     * Reads the current first page, which shows all edits, moves, deletions, and new items. Of the items that you
     * keep, the server sends again only those that may have been written since {@code moment}. The page has as many
     * items as {@link #limit} says, up to the feed's {@code delta-max}. The feed must be declared with {@code delta}.
     *
     * @param kept items from pages of this list, read with the same fields; the fields must include the key
     * @param moment {@link Page#moment} of the one of these pages that was read first
     * @param keyOf returns the key of an item: a value, or a list of values if the key has several columns; not null
     * @return the first page, with the moment for the next call
     */
    public Page<T> refresh(List<T> kept, String moment, Function<? super T, ?> keyOf) {
        Function<T, List<String>> keyValuesOf = keyValuesOf(keyOf);
        Map<List<String>, T> known = new HashMap<>();
        kept.forEach(item -> known.put(keyValuesOf.apply(item), item));
        Delta<T> delta = await(where("since", moment).delta(PageStart.first()));
        delta.page().items().forEach(item -> known.put(keyValuesOf.apply(item), item));
        await(readMissing(delta.keys(), known, keyValuesOf));
        return delta.page()
                .withItems(delta.keys().stream()
                        .map(known::get)
                        .filter(Objects::nonNull)
                        .toList());
    }

    /** Reads a page of this list, which must have a parameter {@code since}. */
    CompletableFuture<Delta<T>> delta(PageStart start) {
        return transport.get(uri(url, start), json -> Delta.parse(json, mapper));
    }

    /**
     * Reads the items that are neither known nor sent, and adds them to {@code known}: they became visible without
     * being written, or they moved up to this page because items above them were deleted. Adjacent items are read in
     * one request. An item that has disappeared meanwhile is left out.
     */
    CompletableFuture<Void> readMissing(
            List<List<String>> keys, Map<List<String>, T> known, Function<T, List<String>> keyValuesOf) {
        int missing = 0;
        while (missing < keys.size() && known.containsKey(keys.get(missing))) {
            missing++;
        }
        if (missing == keys.size()) {
            return CompletableFuture.completedFuture(null);
        }
        int end = missing;
        while (end < keys.size() && !known.containsKey(keys.get(end))) {
            end++;
        }
        List<String> key = keys.get(missing);
        List<List<String>> following = keys.subList(missing + 1, keys.size());
        return limit(end - missing)
                .pageAsync(PageStart.fromId(key.toArray(String[]::new)))
                .thenApply(Page::items)
                .exceptionally(FeedList::noneIfNotFound)
                .thenCompose(items -> {
                    items.stream().limit(1).map(keyValuesOf).forEach(first -> requireKey(first.equals(key), first));
                    items.forEach(item -> known.putIfAbsent(keyValuesOf.apply(item), item));
                    return readMissing(following, known, keyValuesOf);
                });
    }

    private static <T> List<T> noneIfNotFound(Throwable failure) {
        if (failure instanceof CompletionException wrapped
                && wrapped.getCause() instanceof ProblemException e
                && e.problem().code() == ProblemCode.ANCHOR_NOT_FOUND) {
            return List.of();
        }
        throw (CompletionException) failure;
    }

    static void requireKey(boolean isKey, List<String> key) {
        if (!isKey) {
            throw new FeedException("the function for keys returned " + key + ", which is not the item's key", null);
        }
    }

    /** Returns a function that returns the values of an item's key as text. */
    static <T> Function<T, List<String>> keyValuesOf(Function<? super T, ?> keyOf) {
        return item -> {
            Object key = Objects.requireNonNull(keyOf.apply(item), "the function for keys returned null");
            return key instanceof List<?> values
                    ? values.stream().map(String::valueOf).toList()
                    : List.of(String.valueOf(key));
        };
    }

    /**
     * Returns the beginning of this list as a store has kept it, or an empty list if it has kept none. Sends no
     * request before {@link KeptList#refresh} or {@link KeptList#events}. Pages have as many items as {@link #limit}
     * says; a {@link #count} is ignored.
     *
     * @param keyOf returns the key of an item: a value, or a list of values if the key has several columns; not null
     * @param store where the list is kept. Its {@link KeptList.Store#load} is called before this method returns
     * @return the list
     */
    public KeptList<T> keep(Function<? super T, ?> keyOf, KeptList.Store store) {
        return new KeptList<>(where("count"), keyValuesOf(keyOf), store);
    }

    /**
     * Returns an empty list that no store keeps, for the time that a program runs. Otherwise the same as the method
     * with a store.
     *
     * @param keyOf returns the key of an item: a value, or a list of values if the key has several columns; not null
     * @return the list
     */
    public KeptList<T> keep(Function<? super T, ?> keyOf) {
        return new KeptList<>(where("count"), keyValuesOf(keyOf), null);
    }

    /**
     * Counts the items beyond a cursor without reading them.
     *
     * @param cursor such as {@link Page#top} of the first page, for a button such as "3 new messages"
     * @return the number, up to 100
     */
    public FreshCount fresh(String cursor) {
        FeedList<T> list = where("limit").where("fields").where("count");
        return await(transport.get(list.uri(url + "/fresh", PageStart.cursor(cursor)), FreshCount::parse));
    }

    /**
     * Counts the items by the values of a column without reading them. A filter on the column itself names the values
     * to count; otherwise, all values that occur are counted.
     *
     * @param by a column that the feed declares under {@code counts}
     * @param upTo where counting stops for each value, from 1 to 1000
     * @return the numbers
     */
    public ValueCounts counts(String by, int upTo) {
        FeedList<T> list = where("order")
                .where("limit")
                .where("fields")
                .where("count")
                .where("by", by)
                .where("up-to", Integer.toString(upTo));
        return await(transport.get(list.uri(url + "/counts", PageStart.first()), ValueCounts::parse));
    }

    /** Returns the same list with other objects for its items. */
    <R> FeedList<R> mapper(ItemMapper<R> other) {
        return new FeedList<>(transport, url, other, parameters);
    }

    /** The URL of this list, which is the same for each limit and each sequence of parameters. */
    String identity() {
        QueryString query = new QueryString();
        new TreeMap<>(where("limit").where("count").parameters).forEach(query::add);
        return url + query;
    }

    /** The URL of the event stream of a window of this list. */
    URI liveUri(PageStart start) {
        return uri(url + "/live", start);
    }

    Transport transport() {
        return transport;
    }

    ItemMapper<T> mapper() {
        return mapper;
    }

    private URI uri(String path, PageStart start) {
        QueryString query = new QueryString();
        parameters.forEach(query::add);
        start.addTo(query);
        return URI.create(path + query);
    }

    static <R> R await(CompletableFuture<R> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            throw new FeedException("interrupted while waiting for a response", e);
        } catch (ExecutionException e) {
            // The function for keys can throw any other exception.
            throw e.getCause() instanceof FeedException failure
                    ? failure.withCurrentStackTrace()
                    : new FeedException(String.valueOf(e.getCause()), e.getCause());
        }
    }

    private final class PageIterator implements Iterator<Page<T>> {

        private Optional<PageStart> next;

        PageIterator(PageStart start) {
            next = Optional.of(start);
        }

        @Override
        public boolean hasNext() {
            return next.isPresent();
        }

        @Override
        public Page<T> next() {
            PageStart start = next.orElseThrow(NoSuchElementException::new);
            Page<T> page = page(start);
            next = start.after(page);
            return page;
        }
    }
}
