package dev.tidemark.postgres.connection;

import java.util.Optional;

/**
 * The texts under which statements are sent to one host. PostgreSQL puts the policies of row security into a statement
 * when it prepares it. It prepares it anew if a policy changes, but not if a role does, to which policies apply: if it
 * gains or loses {@code BYPASSRLS}, or a membership. All statements then get another text, under which they are not
 * prepared yet.
 */
final class StatementTexts {

    /** Before the first reading of the roles, nothing tells whether they change after a statement was prepared. */
    private volatile String suffix = " /* 0 */";

    private Optional<String> roles = Optional.empty();
    private int changes;

    /** Returns the text under which a statement is sent. */
    String of(String sql) {
        return suffix.isEmpty() ? sql : sql + suffix;
    }

    /**
     * Records which policies apply to the roles that read. A statement that was prepared between a change and this
     * call gets another text without need.
     */
    synchronized void recordRoles(String currentRoles) {
        if (roles.isEmpty()) {
            suffix = "";
        } else if (!roles.get().equals(currentRoles)) {
            suffix = " /* " + ++changes + " */";
        }
        roles = Optional.of(currentRoles);
    }
}
