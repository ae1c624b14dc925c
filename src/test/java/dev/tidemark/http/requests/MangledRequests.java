package dev.tidemark.http.requests;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** Requests with random damage. Equal seeds give equal requests. */
final class MangledRequests {

    private static final List<String> REQUESTS = List.of(
            "GET /api/letters?limit=2&sad=true HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n",
            "GET /api/letters?cursor=A HTTP/1.0\r\nIf-None-Match: W/\"x\"\r\n\r\n",
            "GET /api/letters/fresh?cursor=A HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n",
            "GET /v3/letters/?limit=2&after=3 HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n",
            "GET /api HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer a.b.c\r\nCookie: a=b\r\n\r\n",
            "POST /api/letters HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nabcde",
            "POST /api HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\nX-A: b\r\n\r\n",
            "PUT /api HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
            "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nOrigin: http://a\r\nAccess-Control-Request-Method: GET\r\n\r\n",
            "GET /api HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
                    + "HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n",
            "GET /api HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0",
            "\26\3\1\0\5\1\0\0\1\3");

    private static final List<String> FRAGMENTS = List.of(
            "\r\n",
            "\n",
            "\r",
            "\r\n\r\n",
            " ",
            "\t",
            ":",
            "\0",
            "\177",
            "\u0080",
            "\u00ff",
            "\u00c3\u0028",
            "%",
            "%00",
            "?",
            "#",
            "//",
            "/../",
            ";",
            ",",
            "=",
            "HTTP/1.1",
            "HTTP/9.9",
            "http/1.1",
            "HTTP/1.1 HTTP/1.1",
            "http://",
            "GET ",
            "Host: b\r\n",
            "Content-Length: 3\r\n",
            "Content-Length: 99999999999\r\n",
            "Content-Length: -1\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Transfer-Encoding: x\r\n",
            "fffffffff\r\n",
            "Connection: close\r\n",
            "Expect: x\r\n",
            "a".repeat(20_000),
            "a".repeat(70_000),
            "A: b\r\n".repeat(5_000));

    private final Random random;

    MangledRequests(Random random) {
        this.random = random;
    }

    /** One or more requests, damaged in one or more places. */
    byte[] next() {
        StringBuilder bytes = new StringBuilder();
        do {
            bytes.append(REQUESTS.get(random.nextInt(REQUESTS.size())));
        } while (random.nextInt(4) == 0);
        for (int i = random.nextInt(5); i >= 0; i--) {
            mangle(bytes);
        }
        return bytes.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private void mangle(StringBuilder bytes) {
        int from = random.nextInt(bytes.length() + 1);
        int to = Math.min(bytes.length(), from + 1 + random.nextInt(12));
        switch (random.nextInt(7)) {
            case 0 -> bytes.setLength(Math.max(1, from));
            case 1 -> bytes.delete(from, to);
            case 2 -> bytes.insert(from, bytes.substring(from, to));
            case 3 -> {
                if (from < to) {
                    bytes.setCharAt(from, (char) (bytes.charAt(from) ^ 1 << random.nextInt(8)));
                }
            }
            case 4 -> bytes.insert(from, (char) random.nextInt(256));
            default -> bytes.insert(from, FRAGMENTS.get(random.nextInt(FRAGMENTS.size())));
        }
    }
}
