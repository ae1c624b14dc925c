package dev.tidemark.inbox;

import dev.tidemark.FeedsText;
import dev.tidemark.http.LeastPrivilegeProfile;
import java.time.Duration;
import java.util.Map;

/**
 * An inbox in its own database, which tests can change, with two more feeds of its messages: one in the order of a
 * text, and one without delta. It is read as the role of {@link LeastPrivilegeProfile}. Tests that need only the feeds
 * of that profile use this one too, because each profile costs another build and start of the application.
 */
public class ChangeableInboxProfile extends LeastPrivilegeProfile {

    static final int ROWS = 3000;
    static final Duration TRAFFIC_ATTENTION = Duration.ofSeconds(2);

    @Override
    public Map<String, String> start() {
        Map<String, String> config = super.start();
        config.put("tidemark.inbox.rows", Integer.toString(ROWS));
        return config;
    }

    @Override
    public Map<String, String> getConfigOverrides() {
        Map<String, String> config = super.getConfigOverrides();
        config.put("tidemark.inbox.traffic-attention", TRAFFIC_ATTENTION.toString());
        config.put("tidemark.statement-timeout", "5s");
        String subjects = "tidemark.feeds.subjects.";
        config.put(subjects + "table", "public.messages");
        config.put(subjects + "key", "id");
        config.put(subjects + "columns", "id,subject,status,edited_at");
        config.put(subjects + "orders.subject", "subject");
        config.put(subjects + "filters.subject", "text");
        config.put(subjects + "visible", "deleted_at is null");
        config.put(subjects + "delta", "true");
        String plain = "tidemark.feeds.plain.";
        config.put(plain + "table", "public.messages");
        config.put(plain + "key", "id");
        config.put(plain + "columns", "id,created_at,subject");
        config.put(plain + "orders.newest", "created_at desc");
        return FeedsText.collect(config);
    }
}
