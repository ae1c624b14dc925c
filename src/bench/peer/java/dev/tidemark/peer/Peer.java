package dev.tidemark.peer;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.PreparedQuery;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.Collector;

/**
 * What somebody would write for these pages alone, to be fast: Vert.x on its native transport, one connection for each
 * event loop, two prepared statements, and JSON that is written while the rows arrive. It has no entity tags, no
 * limits, no checks, and its cursors are not encrypted. It serves only pages after a cursor, of all messages or of
 * those with a status. The items are those of Tidemark.
 */
public final class Peer extends AbstractVerticle {

    private static final String PAGE =
            "SELECT id, created_at, edited_at, subject, body, status::text, assignee FROM public.messages"
                    + " WHERE deleted_at IS NULL%s AND (created_at, id) <= ($1, $2)"
                    + " ORDER BY created_at DESC, id DESC LIMIT 32";

    private static final String STATUS = " AND status = $3::text::public.message_status";
    private static final String STATUS_PARAMETER = "status=";
    private static final String CURSOR_PARAMETER = "cursor=";

    private static final int LIMIT = 30;
    private static final CharSequence JSON = HttpHeaders.createOptimized("application/json;charset=UTF-8");

    private PreparedQuery<RowSet<Row>> page;
    private PreparedQuery<RowSet<Row>> filteredPage;

    public static void main(String[] arguments) {
        int loops = Runtime.getRuntime().availableProcessors();
        Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(loops))
                .deployVerticle(Peer::new, new DeploymentOptions().setInstances(loops))
                .onFailure(failure -> {
                    failure.printStackTrace();
                    System.exit(1);
                });
    }

    @Override
    public void start(Promise<Void> started) {
        PgConnectOptions options = PgConnectOptions.fromUri(System.getenv("QUARKUS_DATASOURCE_REACTIVE_URL"))
                .setUser(System.getenv("QUARKUS_DATASOURCE_USERNAME"))
                .setPassword(System.getenv("QUARKUS_DATASOURCE_PASSWORD"))
                .setPipeliningLimit(1_000)
                .addProperty("plan_cache_mode", "force_generic_plan")
                .addProperty("enable_sort", "off")
                .addProperty("enable_incremental_sort", "off")
                .addProperty("random_page_cost", "1")
                .addProperty("jit", "off");
        PgConnection.connect(vertx, options)
                .compose(connection -> connection
                        .prepare(PAGE.formatted(""))
                        .map(statement -> page = statement.query())
                        .compose(prepared -> connection.prepare(PAGE.formatted(STATUS)))
                        .map(statement -> filteredPage = statement.query()))
                .compose(prepared -> {
                    return vertx.createHttpServer(new HttpServerOptions().setTcpNoDelay(true))
                            .requestHandler(this::handle)
                            .listen(Integer.parseInt(System.getenv("QUARKUS_HTTP_PORT")), "127.0.0.1");
                })
                .<Void>mapEmpty()
                .onComplete(started);
    }

    private void handle(HttpServerRequest request) {
        if (request.query() == null) {
            boolean isReady = request.path().equals("/messages");
            request.response().setStatusCode(isReady ? 200 : 404).end();
            return;
        }
        String query = request.query();
        String cursor = query.substring(query.indexOf(CURSOR_PARAMETER) + CURSOR_PARAMETER.length());
        String position = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
        int comma = position.indexOf(',');
        OffsetDateTime createdAt = OffsetDateTime.parse(position.substring(0, comma));
        long id = Long.parseLong(position.substring(comma + 1));
        int filter = query.indexOf(STATUS_PARAMETER);
        boolean isFiltered = filter >= 0;
        Tuple parameters = isFiltered
                ? Tuple.of(
                        createdAt, id, query.substring(filter + STATUS_PARAMETER.length(), query.indexOf('&', filter)))
                : Tuple.of(createdAt, id);
        (isFiltered ? filteredPage : page)
                .collecting(Collector.of(() -> new Page(id), Page::add, (one, other) -> one))
                .execute(parameters)
                .onSuccess(result -> request.response()
                        .putHeader(HttpHeaders.CONTENT_TYPE, JSON)
                        .end(result.value().json()))
                .onFailure(failure -> request.response().setStatusCode(500).end());
    }

    /** The JSON of a page. The row at the position itself stands before its items, unless it is gone. */
    private static final class Page {

        private final long position;
        private byte[] bytes = new byte[12 * 1024];
        private int length;
        private boolean hasMore;
        private int items;
        private String first;
        private String last;

        Page(long position) {
            this.position = position;
            ascii("{\"items\":[");
        }

        void add(Row row) {
            long key = row.getLong(0);
            if (key == position || items == LIMIT) {
                hasMore = items == LIMIT;
                return;
            }
            String id = Long.toString(key);
            ascii(items++ == 0 ? "{\"id\":\"" : ",{\"id\":\"");
            ascii(id);
            ascii("\",\"created_at\":");
            int start = length;
            time(row.getOffsetDateTime(1));
            last = new String(bytes, start + 1, length - start - 2, StandardCharsets.ISO_8859_1) + ',' + id;
            first = first == null ? last : first;
            ascii(",\"edited_at\":");
            time(row.getOffsetDateTime(2));
            ascii(",\"subject\":");
            string(row.getString(3));
            ascii(",\"body\":");
            string(row.getString(4));
            ascii(",\"status\":");
            string(row.getString(5));
            ascii(",\"assignee\":");
            string(row.getString(6));
            ascii("}");
        }

        Buffer json() {
            String top = token(first);
            String end = token(last);
            ascii("],\"next_cursor\":" + (hasMore ? end : "null") + ",\"has_more\":" + hasMore + ",\"prev_cursor\":"
                    + top + ",\"has_prev\":true,\"cursors\":{\"top\":" + top + ",\"last\":"
                    + end + "},\"limit\":30}");
            return Buffer.buffer(length).appendBytes(bytes, 0, length);
        }

        private static String token(String position) {
            return '"'
                    + Base64.getUrlEncoder().withoutPadding().encodeToString(position.getBytes(StandardCharsets.UTF_8))
                    + '"';
        }

        private void ascii(String text) {
            ensure(text.length());
            text.getBytes(0, text.length(), bytes, length);
            length += text.length();
        }

        private void string(String text) {
            if (text == null) {
                ascii("null");
                return;
            }
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            ensure(6 * utf8.length + 2);
            bytes[length++] = '"';
            for (byte b : utf8) {
                if (b == '"' || b == '\\') {
                    bytes[length++] = '\\';
                    bytes[length++] = b;
                } else if (b == '\n') {
                    ascii("\\n");
                } else if (b >= 0 && b < ' ') {
                    ascii(String.format("\\u%04x", b));
                } else {
                    bytes[length++] = b;
                }
            }
            bytes[length++] = '"';
        }

        private void time(OffsetDateTime time) {
            if (time == null) {
                ascii("null");
                return;
            }
            ensure(40);
            bytes[length++] = '"';
            digits(time.getYear(), 4, '-');
            digits(time.getMonthValue(), 2, '-');
            digits(time.getDayOfMonth(), 2, 'T');
            digits(time.getHour(), 2, ':');
            digits(time.getMinute(), 2, ':');
            digits(time.getSecond(), 2, '.');
            int micros = time.getNano() / 1_000;
            if (micros == 0) {
                length--;
            } else {
                boolean isWhole = micros % 1_000 == 0;
                digits(isWhole ? micros / 1_000 : micros, isWhole ? 3 : 6, 'Z');
                length--;
            }
            bytes[length++] = 'Z';
            bytes[length++] = '"';
        }

        private void digits(int number, int count, char after) {
            for (int i = count - 1; i >= 0; i--) {
                bytes[length + i] = (byte) ('0' + number % 10);
                number /= 10;
            }
            length += count;
            bytes[length++] = (byte) after;
        }

        private void ensure(int more) {
            if (length + more > bytes.length) {
                bytes = Arrays.copyOf(bytes, 2 * (length + more));
            }
        }
    }
}
