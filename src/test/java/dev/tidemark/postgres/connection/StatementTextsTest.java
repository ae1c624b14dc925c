package dev.tidemark.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StatementTextsTest {

    private final StatementTexts texts = new StatementTexts();

    /** The roles can have changed between the preparation and their first reading, which does not show this. */
    @Test
    void aStatementThatWasPreparedBeforeTheRolesWereFirstReadIsPreparedAnew() {
        String unknown = texts.of("SELECT 1");
        texts.recordRoles("seer");
        assertThat(texts.of("SELECT 1")).isNotEqualTo(unknown);
    }

    @Test
    void aStatementKeepsItsTextWhileTheRolesStayTheSame() {
        texts.recordRoles("seer");
        texts.recordRoles("seer");
        assertThat(texts.of("SELECT 1")).isEqualTo("SELECT 1");
    }

    @Test
    void aStatementGetsANewTextAtEachChangeOfTheRoles() {
        texts.recordRoles("seer");
        String first = texts.of("SELECT 1");
        texts.recordRoles("");
        String second = texts.of("SELECT 1");
        texts.recordRoles("seer");
        assertThat(texts.of("SELECT 1")).isNotIn(first, second);
    }
}
