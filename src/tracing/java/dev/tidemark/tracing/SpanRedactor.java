package dev.tidemark.tracing;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Keeps what users look for, and where they do it, out of traces: a query string has filter values and cursors. Which feed it
 * was remains in the path.
 */
@Singleton
public class SpanRedactor implements SpanProcessor {

    /** What the conventions of OpenTelemetry want to stand in place of what was taken out. */
    static final String REDACTED = "REDACTED";

    private static final List<AttributeKey<String>> PRIVATE = List.of(
            AttributeKey.stringKey("url.query"),
            AttributeKey.stringKey("client.address"),
            AttributeKey.stringKey("network.peer.address"));

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
        for (AttributeKey<String> attribute : PRIVATE) {
            if (span.getAttribute(attribute) != null) {
                span.setAttribute(attribute, REDACTED);
            }
        }
    }

    @Override
    public boolean isStartRequired() {
        return true;
    }

    @Override
    public void onEnd(ReadableSpan span) {}

    @Override
    public boolean isEndRequired() {
        return false;
    }
}
