package dev.tidemark.http;

import dev.tidemark.http.edge.FuzzedRequest;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.eclipse.microprofile.config.ConfigProvider;

/** One connection for many requests byte by byte, made anew when the server ends it. */
public final class RawConnection implements AutoCloseable {

    private Socket socket;
    private InputStream in;

    public RawRequest.Answer send(FuzzedRequest request) throws IOException {
        byte[] bytes = (request.text() + "Host: localhost\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
        if (socket == null) {
            socket = new Socket(
                    "localhost", ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class));
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(10_000);
            in = new BufferedInputStream(socket.getInputStream());
        }
        socket.getOutputStream().write(bytes);
        String head = head();
        int status = Integer.parseInt(head.split(" ", 3)[1]);
        RawRequest.Answer answer = new RawRequest.Answer(status, head, "");
        boolean bodiless = request.isHead() || status == 304 || status == 204;
        int length = answer.header("Content-Length").map(Integer::parseInt).orElse(bodiless ? 0 : -1);
        byte[] body = bodiless ? new byte[0] : length < 0 ? in.readAllBytes() : in.readNBytes(length);
        if (length < 0
                || answer.header("Connection").filter("close"::equalsIgnoreCase).isPresent()) {
            close();
        }
        return new RawRequest.Answer(status, head, new String(body, StandardCharsets.UTF_8));
    }

    private String head() throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        for (int ends = 0; ends < 2; ) {
            int next = in.read();
            if (next < 0) {
                close();
                throw new IOException("the server hung up after: " + head);
            }
            head.write(next);
            ends = next == '\n' ? ends + 1 : next == '\r' ? ends : 0;
        }
        return head.toString(StandardCharsets.ISO_8859_1).strip();
    }

    @Override
    public void close() throws IOException {
        if (socket != null) {
            socket.close();
            socket = null;
        }
    }
}
