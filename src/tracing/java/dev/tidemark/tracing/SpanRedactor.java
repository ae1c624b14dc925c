package dev.tidemark.tracing;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Redacts query strings and client addresses in spans, because addresses and filter values can be personal data. The
 * path, which names the feed, remains.
 */
@Singleton
public class SpanRedactor implements SpanProcessor {

    /** The replacement for removed values, as defined by the semantic conventions of OpenTelemetry. */
    static final String REDACTED = "REDACTED";

    private static final List<AttributeKey<String>> SENSITIVE = List.of(
            AttributeKey.stringKey("url.query"),
            AttributeKey.stringKey("client.address"),
            AttributeKey.stringKey("network.peer.address"));

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
        for (AttributeKey<String> attribute : SENSITIVE) {
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
