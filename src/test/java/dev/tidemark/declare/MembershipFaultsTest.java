package dev.tidemark.declare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.FeedsText;
import dev.tidemark.feed.Access.ClaimScope;
import dev.tidemark.feed.Access.Membership;
import dev.tidemark.feed.Access.RowCondition;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import dev.tidemark.settings.FeedSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Memberships as they are declared, and their faults. */
@UsesTestDatabase
class MembershipFaultsTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeAll
    static void createTables() {
        DATABASE.run("""
                DROP TABLE IF EXISTS chats, chatters CASCADE;
                CREATE EXTENSION IF NOT EXISTS citext SCHEMA public;
                CREATE COLLATION IF NOT EXISTS folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
                CREATE TABLE chats (id bigint PRIMARY KEY, channel_id bigint, channel text COLLATE "C", body json);
                CREATE TABLE chatters (channel_id int, "Odd. ""name" bigint, channel text, user_id uuid, name citext, ratio real,
                  body json, folded text COLLATE folding, active boolean, state text);
                CREATE VIEW chatter_view AS SELECT * FROM chatters;
                """);
    }

    /** @param changes alternating names and values; null removes a property */
    private static Map<String, String> declarationWith(String... changes) {
        Map<String, String> properties = new HashMap<>();
        properties.put("f.table", "chats");
        properties.put("f.orders.newest", "id desc");
        properties.put("f.scope.channel_id.in", "public.chatters.channel_id");
        properties.put("f.scope.channel_id.where.user_id", "claim:sub");
        for (int i = 0; i < changes.length; i += 2) {
            properties.put("f." + changes[i], changes[i + 1]);
        }
        properties.values().removeIf(value -> value == null);
        return properties;
    }

    private static String startupError(Map<String, String> properties) {
        return DeclaredFeeds.startupError(DATABASE.catalogue(), properties);
    }

    private static Membership membership(Map<String, String> properties) {
        return DeclaredFeeds.resolve(DATABASE.catalogue(), properties)
                .find("f")
                .orElseThrow()
                .access()
                .memberships()
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aMembershipIsReadFromTheDeclaration() {
        Membership membership =
                membership(declarationWith("scope.channel_id.where.channel", "claim:https://example.org/channel"));
        assertThat(membership.column().name()).isEqualTo("channel_id");
        assertThat(membership.schema() + '.' + membership.table()).isEqualTo("public.chatters");
        assertThat(membership.member().name()).isEqualTo("channel_id");
        assertThat(membership.where())
                .extracting(ClaimScope::claim)
                .containsExactly("https://example.org/channel", "sub");
    }

    @Test
    void aMembershipHasAConditionAndTheColumnsThatItTests() {
        assertThat(membership(declarationWith()).condition()).isEmpty();
        assertThat(membership(declarationWith("scope.channel_id.if", " active and state <> 'channel' "))
                        .condition())
                .contains(new RowCondition("active and state <> 'channel'", Set.of("active", "state", "channel")));
        assertThat(membership(declarationWith("scope.channel_id.if", "chatters.active"))
                        .condition()
                        .orElseThrow()
                        .columns())
                .as("all columns, because it names the table")
                .hasSize(10);
    }

    /** The column belongs to the table of the membership, even if the feed's table has one of the same name. */
    @Test
    void aConditionDoesNotMeanAColumnOfTheFeedWhenItsOwnIsDropped() {
        DATABASE.run("""
                DROP TABLE IF EXISTS notes, readers;
                CREATE TABLE notes (id int PRIMARY KEY, room int, open boolean);
                INSERT INTO notes SELECT i, i % 2, true FROM generate_series(1, 6) i;
                CREATE TABLE readers (room int, name text, open boolean);
                INSERT INTO readers VALUES (0, 'ada', true), (1, 'ada', false), (NULL, 'ada', true);
                """);
        Feed feed = DATABASE.feed(
                "table", "notes",
                "orders.o", "id",
                "filters.room", "equals",
                "scope.room.in", "readers.room",
                "scope.room.where.name", "claim:sub",
                "scope.room.if", "open");
        Membership readers = feed.access().memberships().findFirst().orElseThrow();
        Condition scope = new Condition.InMembership(readers, List.of("ada"));
        ListState all = new ListState(feed, feed.orders().byDefault(), List.of(scope));
        ListState room = new ListState(
                feed, feed.orders().byDefault(), List.of(scope, new Condition.AnyOf(readers.column(), List.of("1"))));
        assertThat(ids(all)).containsExactly(2L, 4L, 6L);
        assertThat(ids(room)).isEmpty();
        DATABASE.run("ALTER TABLE readers DROP COLUMN open");
        assertThatThrownBy(() -> ids(all)).hasStackTraceContaining("readers.open");
        assertThatThrownBy(() -> ids(room)).hasStackTraceContaining("readers.open");
    }

    private static List<Long> ids(ListState list) {
        List<Long> ids = new ArrayList<>();
        DATABASE.reader()
                .read(list, new PageRequest(Optional.empty(), 10), row -> ids.add(row.integer(0)))
                .await()
                .atMost(Duration.ofSeconds(30));
        return ids;
    }

    /** As if {@code visible} changed: other items belong to the feed, though none was written. */
    @Test
    void aChangedConditionChangesTheFormOfTheItems() {
        Set<String> forms = new HashSet<>();
        for (String condition : new String[] {null, "active", "not active"}) {
            forms.add(DeclaredFeeds.resolve(
                            DATABASE.catalogue(),
                            declarationWith("delta", "true", "columns", "id", "scope.channel_id.if", condition))
                    .find("f")
                    .orElseThrow()
                    .policy()
                    .delta()
                    .orElseThrow()
                    .form());
        }
        assertThat(forms).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '\'', textBlock = """
            chatters.channel_id,                   channel_id
            public . chatters . channel_id,        channel_id
            '"chatters"."Odd. ""name"',            'Odd. "name'
            chatter_view.channel_id,               channel_id
            """)
    void theColumnOfAMembershipIsNamedWithItsTable(String in, String column) {
        assertThat(membership(declarationWith("scope.channel_id.in", in))
                        .member()
                        .name())
                .isEqualTo(column);
    }

    @Test
    void theCollationOfTheFeedsColumnIsUsedIfTheColumnsHaveDifferentOnes() {
        assertThat(membership(declarationWith()).collation()).isEmpty();
        assertThat(membership(declarationWith(
                                "scope.channel_id.in",
                                null,
                                "scope.channel_id.where.user_id",
                                null,
                                "scope.channel.in",
                                "chatters.channel",
                                "scope.channel.where.user_id",
                                "claim:sub"))
                        .collation())
                .contains("pg_catalog.\"C\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            scope.channel_id.in             | ''                      | scope.channel_id.in: must be the column of a table that has the values of channel_id
            scope.channel_id.in             | channel_id              | scope.channel_id.in: must be the column of a table
            scope.channel_id.in             | nowhere.channel_id      | scope.channel_id.in: there is no table or view 'nowhere'
            scope.channel_id.in             | public.chaters.channel_id | there is no table or view 'public.chaters'; the nearest name is public.chat
            scope.channel_id.in             | chatters.chanel_id      | scope.channel_id.in: there is no column 'chanel_id' in public.chatters; the nearest name is channel_id
            scope.channel_id.in             | a.b.c.d                 | scope.channel_id.in: cannot be read
            scope.channel_id.in             | chatters.user_id        | scope.channel_id.in: column 'channel_id' of type bigint cannot be compared with column 'user_id' of type uuid
            scope.channel_id.in             | chatters.channel        | cannot be compared with column 'channel' of type text
            scope.channel_id.where.user_id  | sub                     | scope.channel_id.where.user_id: must be a claim, such as claim:sub
            scope.channel_id.where.user_id  | claim:groups            | scope.channel_id.where.user_id: the claim groups is a list, which no column equals, so nobody could read the feed
            scope.channel                   | claim:aud               | scope.channel: the claim aud is a list
            scope.channel_id.where.user_id  | ''                      | scope.channel_id.where.user_id: must be a claim
            scope.channel_id.where.usr_id   | claim:sub               | scope.channel_id.where.usr_id: there is no column 'usr_id' in public.chatters; the nearest name is user_id
            scope.channel_id.where.body     | claim:sub               | scope.channel_id.where.body: a column of type json cannot be compared with a claim
            scope.channel_id.where.name     | claim:sub               | scope.channel_id.where.name: different claims can equal one value of type citext
            scope.channel_id.where.ratio    | claim:sub               | scope.channel_id.where.ratio: different claims can equal one value of type real
            scope.channel_id.where.folded   | claim:sub               | scope.channel_id.where.folded: has a nondeterministic collation
            scope.channel_id.whre.user_id   | claim:sub               | scope.channel_id.whre.user_id: unknown property
            scope.channel_id.if             | ''                      | scope.channel_id.if: must not be empty; omit it if every row is a membership
            scope.channel_id.if             | state                   | scope.channel_id.if: is not a valid condition: argument of WHERE must be type boolean, not type text
            scope.channel_id.if             | active and              | scope.channel_id.if: is not a valid condition: syntax error
            scope.channel_id.if             | actve                   | scope.channel_id.if: is not a valid condition: column "actve" does not exist
            scope.channel_id.if             | chats.id > 0            | scope.channel_id.if: is not a valid condition: missing FROM-clause entry for table "chats"
            scope.channel_id.if             | active) or (true        | scope.channel_id.if: is not a valid condition: syntax error
            scope.channel_id.if             | user_id = $1            | scope.channel_id.if: is not a valid condition
            scope.channel_id.iff            | active                  | scope.channel_id.iff: unknown property
            scope.chanel_id.in              | chatters.channel_id     | scope.chanel_id: there is no column 'chanel_id' in public.chats; the nearest name is channel_id
            scope.id.in                     | chatters.channel_id     | scope.id.where: must map columns to claims
            scope.body.in                   | chatters.body           | scope.body.in: column 'body' of type json cannot be compared
            scope.channel.in                | chatters.folded         | scope.channel.in: column 'folded' has a nondeterministic collation
            scope.channel                   | chatters.channel        | scope.channel: must be a claim, such as claim:tenant, or a membership
            count                           | estimate                | count: estimate is not allowed with a scope
            """)
    void aFaultStopsTheStartWithItsReason(String property, String value, String fault) {
        assertThat(startupError(declarationWith(property, value))).contains(fault);
    }

    @Test
    void allFaultsAreReportedAtOnce() {
        assertThat(startupError(declarationWith(
                        "table", "nowhere",
                        "scope.channel_id.in", "nowhere_else.id",
                        "scope.channel_id.where.user_id", "sub",
                        "orders.newest", "id down")))
                .contains("there is no table or view 'nowhere'", "'nowhere_else'", "must be a claim", "id down");
        assertThat(startupError(declarationWith(
                        "columns", "id, none",
                        "scope.channel_id.in", "chatters.user_id",
                        "scope.channel_id.where.gone", "claim:sub")))
                .contains("'none'", "'gone'", "cannot be compared");
    }

    @Test
    void aColumnThatMayNotBeReadIsAFaultThatNamesItsTable() {
        DATABASE.run("""
                CREATE ROLE chatter LOGIN;
                GRANT SELECT ON chats TO chatter;
                GRANT SELECT (user_id) ON chatters TO chatter;
                """);
        TestDatabase reader = TestDatabase.asRole("chatter");
        try {
            assertThat(faults(reader, declarationWith()))
                    .extracting(Faults.Fault::toString)
                    .containsExactly("table: the first page cannot be read: permission denied for table chatters");
            assertThat(faults(reader, declarationWith("scope.channel_id.if", "active")))
                    .singleElement()
                    .satisfies(fault -> {
                        assertThat(fault.property()).isEqualTo("scope.channel_id.if");
                        assertThat(fault.message()).contains("permission denied for table chatters");
                    });
        } finally {
            reader.close();
            DATABASE.rows("DROP OWNED BY chatter; DROP ROLE chatter");
        }
    }

    private static List<Faults.Fault> faults(TestDatabase database, Map<String, String> properties) {
        return DeclaredFeeds.newFeedCheck(database.catalogue())
                .check(List.of(FeedSource.of("feeds", FeedsText.of(properties))))
                .await()
                .indefinitely()
                .faults()
                .all();
    }
}
