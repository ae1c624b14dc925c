package dev.tidemark.propose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.declare.DeclaredFeeds;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.SqlQuoting;
import dev.tidemark.feed.read.RowSink;
import dev.tidemark.http.json.ItemWriter;
import dev.tidemark.http.json.JsonBytes;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.OffsetPage;
import dev.tidemark.paging.OffsetRequest;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import dev.tidemark.postgres.catalogue.PgInventory;
import dev.tidemark.postgres.sql.Sql;
import io.vertx.mutiny.sqlclient.Pool;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Proposals for schemas like those that users have, and for awkward ones. They are in a database of their own, because
 * a proposal describes all relations in the schemas of the selected ones, and the shared database has hundreds.
 */
@UsesTestDatabase
class ProposalsTest {

    private static final TestDatabase DATABASE = TestDatabase.empty();
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** One proposal for each schema, because each takes hundreds of statements. */
    private static final Map<String, String> SCHEMA_PROPOSALS = new HashMap<>();

    @BeforeAll
    static void makeSchemas() throws IOException {
        for (String schema : List.of("rentals", "trade", "music", "awkward", "forum")) {
            try (InputStream script = ProposalsTest.class.getResourceAsStream("/schemas/" + schema + ".sql")) {
                DATABASE.run(new String(script.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
    }

    @AfterAll
    static void closeDatabase() {
        DATABASE.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rentals", "trade", "Music", "Awk.ward", "forum"})
    void everyProposedFeedStartsUnchangedAndCanBeWalked(String schema) {
        List<String> relations = relations(schema);
        String yaml = uncommented(proposeSchema(schema));
        assertThat(resolve(yaml))
                .filteredOn(feed -> !feed.access().isPublic())
                .hasSizeGreaterThan(schema.equals("Awk.ward") ? -1 : 0);
        List<Feed> feeds = resolve(unscoped(yaml));

        assertThat(feeds).hasSizeGreaterThan(5);
        assertThat(feeds.size() + yaml.split(": left out, because ").length - 1)
                .as("each relation is a feed or a comment")
                .isEqualTo(relations.size());
        feeds.forEach(ProposalsTest::assertPagesShowAllRows);
    }

    /** Everybody may read all rows. */
    private static String unscoped(String yaml) {
        return yaml.replaceAll("(?m)^( +)scope: .*$", "$1public: true");
    }

    /** Uncomments the feeds over tables that seem to hold something that not everyone may read. */
    private static String uncommented(String yaml) {
        StringBuilder text = new StringBuilder();
        boolean isInside = false;
        for (String line : yaml.lines().toList()) {
            boolean isReason = line.startsWith("    # Commented out, because ");
            text.append(isInside ? line.replaceFirst("# ", "") : line).append('\n');
            isInside = (isInside || isReason) && !line.isEmpty();
        }
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "forum.account         | personal data (email)",
                "forum.login_token     | secrets or tokens",
                "forum.private_message | private messages",
                "forum.site_settings   | configuration",
                "rentals.customer      | personal data (email)",
                "trade.customers       | personal data (phone)",
                "\"Music\".\"Customer\"  | personal data (Email)"
            })
    void aFeedThatNotEveryoneMayReadIsCommentedOutWithTheReason(String expectation) {
        String[] parts = expectation.split("\\s*\\| ", 2);
        String yaml = propose(List.of(parts[0]));
        assertThat(yaml)
                .contains(
                        "    # Commented out, because it seems to hold " + parts[1]
                                + ". Declare roles or a scope, or leave columns out, before you serve it.\n",
                        "\n    #   table: "
                                + (parts[0].contains("\"") ? "\"" + parts[0].replace("\"", "\\\"") + "\"" : parts[0])
                                + "\n",
                        "  feeds: {}   # remove {} if you uncomment a feed\n")
                .doesNotContain("\n#: ");
        assertThat(resolve(uncommented(yaml).replace("feeds: {}", "feeds:"))).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "post        | # scope: {creator_id: \"claim:sub\"}   # each caller sees only the rows whose creator_id is the claim sub of the token; check then reports other missing indexes",
                "post        | scope: {community_id: {in: forum.community_follower.community_id, where: {person_id: \"claim:sub\"}}}   # each caller sees only the rows that forum.community_follower lists for them",
                "post        | # public: true   # in place of the scope: everybody sees all rows; check then reports other missing indexes",
                "community   | scope: {id: {in: forum.community_follower.community_id, where: {person_id: \"claim:sub\"}}}   # each caller sees only the rows that forum.community_follower lists for them",
                "post        | pinned: equals   # about 2 values",
                "post        | creator: {table: forum.person, on: {id: creator_id}, columns: [name, display_name, avatar_url]}",
                "post        | # Left out: removed (see visible)",
                "post_counts | top-comments: comments desc",
                "post_counts | top-score: score desc",
                "post_counts | post: {table: forum.post, on: {id: post_id}, columns: [title]}",
                "person      | # Left out: private_key (looks secret)"
            })
    void aForumIsProposedAsAnExpertWouldDeclareIt(String expectation) {
        String[] parts = expectation.split("\\s*\\| ", 2);
        assertThat(proposedFeed("forum", parts[0])).contains("  " + parts[1] + "\n");
    }

    @Test
    void noIndexIsProposedForAFilterThatSelectsAllRowsOrOne() {
        assertThat(propose(List.of("forum.post")))
                .contains("with a filter on pinned")
                .doesNotContain(
                        "locked: equals",
                        "federation_id: equals",
                        "with a filter on locked",
                        "with a filter on federation_id");
    }

    /** The statistics of an empty table, or of one that was never analyzed, say nothing about its values. */
    @Test
    void aTableWithoutStatisticsKeepsItsFilters() {
        DATABASE.run("""
                DROP TABLE IF EXISTS unseen, few;
                CREATE TABLE unseen (id int PRIMARY KEY, done boolean NOT NULL DEFAULT false);
                CREATE TABLE few (id int PRIMARY KEY, done boolean NOT NULL DEFAULT false);
                INSERT INTO few SELECT generate_series(1, 20);
                ANALYZE unseen, few;
                """);
        assertThat(propose(List.of("unseen"))).contains("        done: equals\n");
        assertThat(propose(List.of("few"))).contains("        done: equals   # about 1 values\n");
    }

    @Test
    void namesOfColumnsImplyReferencesInASchemaWithoutForeignKeys() {
        DATABASE.run("""
                DROP SCHEMA IF EXISTS chat CASCADE;
                CREATE SCHEMA chat;
                CREATE TABLE chat.users (id varchar(26) PRIMARY KEY, username text NOT NULL, passwd text NOT NULL);
                CREATE TABLE chat.channels (id varchar(26) PRIMARY KEY, displayname text NOT NULL, creatorid varchar(26));
                CREATE TABLE chat.channelmembers (channelid varchar(26), userid varchar(26), PRIMARY KEY (channelid, userid));
                CREATE TABLE chat.posts (id varchar(26) PRIMARY KEY, userid varchar(26) NOT NULL, channelid varchar(26) NOT NULL,
                  rootid varchar(26), amountpaid int, message text, created timestamptz NOT NULL);
                """);

        String yaml = propose(List.of("chat.posts"));

        assertThat(yaml)
                .contains(
                        "        userid: equals\n        channelid: equals\n",
                        "        user: {table: chat.users, on: {id: userid}, columns: [username]}   # no foreign key; the names suggest it\n",
                        "        channel: {table: chat.channels, on: {id: channelid}, columns: [displayname]}   # no foreign key; the names suggest it\n",
                        "      # scope: {userid: \"claim:sub\"}   #",
                        "      scope: {channelid: {in: chat.channelmembers.channelid, where: {userid: \"claim:sub\"}}}   #")
                .doesNotContain("root:", "rootid: equals");
        assertThat(resolve(yaml).get(0).embeds()).hasSize(2);
        assertThat(propose(List.of("chat.channels")))
                .contains("        creator: {table: chat.users, on: {id: creatorid}");
    }

    @Test
    void rowsThatForeignKeysReferToAreEmbedded() {
        DATABASE.run("""
                DROP SCHEMA IF EXISTS blog CASCADE;
                CREATE SCHEMA blog;
                CREATE TABLE blog.person (id bigint PRIMARY KEY, username text NOT NULL, display_name varchar(99), email text,
                  password_hash text, avatar_url text, bio text, born date);
                CREATE TABLE blog.room (site int, number int, title text NOT NULL, "Odd color" text, PRIMARY KEY (site, number));
                CREATE TABLE blog.tally (id int PRIMARY KEY, hits int);
                CREATE TABLE blog.post (id bigint PRIMARY KEY, body text, created_at timestamptz NOT NULL,
                  author_id bigint REFERENCES blog.person, site int, room_number int, editor bigint REFERENCES blog.person,
                  tally_id int REFERENCES blog.tally, parent_id bigint REFERENCES blog.post, reviewer_id bigint REFERENCES blog.person,
                  FOREIGN KEY (site, room_number) REFERENCES blog.room);
                """);

        String yaml = propose(List.of("blog.post"));

        assertThat(yaml)
                .contains(
                        "      embed:\n"
                                + "        author: {table: blog.person, on: {id: author_id}, columns: [username, display_name, avatar_url]}\n"
                                + "        room: {table: blog.room, on: {site: site, number: room_number}, columns: [title, Odd color]}\n"
                                + "        # person: {table: blog.person, on: {id: editor}, columns: [username, display_name, avatar_url]}\n"
                                + "        # reviewer: {table: blog.person, on: {id: reviewer_id}, columns: [username, display_name, avatar_url]}\n");
        assertThat(yaml)
                .doesNotContain("email", "password_hash")
                .contains("#: GRANT SELECT (id, username, display_name, avatar_url, xmin, tableoid) ON blog.person TO")
                .contains("ON blog.person FOR EACH STATEMENT EXECUTE FUNCTION blog.tidemark_notify();");
        assertThat(resolve(yaml).get(0).embeds()).hasSize(2);
    }

    @Test
    void aGrantThatTwoFeedsNeedIsWrittenOnce() {
        DATABASE.run("""
                DROP SCHEMA IF EXISTS shared CASCADE;
                CREATE SCHEMA shared;
                CREATE TABLE shared.person (id bigint PRIMARY KEY, name text NOT NULL);
                CREATE TABLE shared.post (id bigint PRIMARY KEY, author_id bigint REFERENCES shared.person);
                CREATE TABLE shared.reply (id bigint PRIMARY KEY, author_id bigint REFERENCES shared.person);
                """);

        String yaml = propose(List.of("shared.post", "shared.reply"));

        assertThat(yaml).containsOnlyOnce("GRANT SELECT (id, name, xmin, tableoid) ON shared.person TO");
    }

    /** The row with the item's own key counts, too. */
    @Test
    void atMostTwoEmbedsAreDeclared() {
        DATABASE.run("""
                DROP SCHEMA IF EXISTS tallies CASCADE;
                CREATE SCHEMA tallies;
                CREATE TABLE tallies.person (id bigint PRIMARY KEY, name text NOT NULL);
                CREATE TABLE tallies.post (id bigint PRIMARY KEY, title text NOT NULL);
                CREATE TABLE tallies.post_tally (post_id bigint PRIMARY KEY REFERENCES tallies.post, likes int NOT NULL,
                  author_id bigint REFERENCES tallies.person, editor_id bigint REFERENCES tallies.person);
                """);
        assertThat(propose(List.of("tallies.post_tally")))
                .contains("      embed:\n"
                        + "        post: {table: tallies.post, on: {id: post_id}, columns: [title]}\n"
                        + "        author: {table: tallies.person, on: {id: author_id}, columns: [name]}\n"
                        + "        # editor: {table: tallies.person, on: {id: editor_id}, columns: [name]}\n");
    }

    @Test
    void aViewIsProposedWithTheTablesThatItReads() {
        DATABASE.run("""
                DROP SCHEMA IF EXISTS press, "Press room" CASCADE;
                CREATE SCHEMA press;
                CREATE SCHEMA "Press room";
                CREATE TABLE press.writer (id bigint PRIMARY KEY, name text NOT NULL);
                CREATE TABLE "Press room".article (id bigint PRIMARY KEY, writer_id bigint, at timestamptz NOT NULL);
                CREATE VIEW press.articles AS SELECT * FROM "Press room".article;
                CREATE VIEW press.signed AS SELECT a.id, a.at, w.name FROM press.articles a JOIN press.writer w ON w.id = a.writer_id;
                INSERT INTO press.writer VALUES (1, 'Ada');
                INSERT INTO "Press room".article VALUES (1, 1, now());
                """);

        String yaml = propose(List.of("press.signed"));

        assertThat(yaml)
                .contains("      notify-on: [\"\\\"Press room\\\".article\", press.writer]\n")
                .contains(
                        "#: GRANT USAGE ON SCHEMA \"Press room\" TO tidemark;\n",
                        "ON \"Press room\".article FOR EACH STATEMENT EXECUTE FUNCTION \"Press room\".tidemark_notify();",
                        "ON press.writer FOR EACH STATEMENT EXECUTE FUNCTION press.tidemark_notify();");
        assertThat(resolve(yaml).get(0).notifyOn())
                .containsExactly(new Feed.TableName("Press room", "article"), new Feed.TableName("press", "writer"));
    }

    @Test
    void wholeNumbersThatAreTimesAndAllMarksOfDeletionAreRecognized() {
        DATABASE.run("""
                DROP SCHEMA IF EXISTS chat CASCADE;
                CREATE SCHEMA chat;
                CREATE TABLE chat.posts (id varchar(26) PRIMARY KEY, createat bigint, updateat bigint, deleteat bigint,
                  seen_s integer NOT NULL, at_us bigint NOT NULL, runtime int NOT NULL, format bigint NOT NULL, message text,
                  removed boolean NOT NULL, deleted boolean);
                INSERT INTO chat.posts SELECT 'p' || i, 1768557600123 + i, 1768557600123 + i, CASE WHEN i % 9 = 0 THEN 1768557600123 ELSE 0 END,
                  1768557600 + i, 1768557600123456 + i, i, i, 'message', false, NULL FROM generate_series(1, 100) i;
                CREATE TABLE chat.rooms (id bigint PRIMARY KEY, title text, deleted_ms bigint, created_ms bigint NOT NULL);
                INSERT INTO chat.rooms VALUES (1, 'one', NULL, 1768557600123), (2, 'two', 1768557600123, 0);
                ANALYZE chat.posts;
                """);

        String yaml = propose(List.of("chat.posts", "chat.rooms"));

        assertThat(yaml)
                .contains(
                        "      columns: [id, createat, updateat, seen_s, at_us, runtime, format, message]\n",
                        "        newest: createat desc nulls last\n",
                        "        createat: range\n",
                        "      epoch: {createat: ms, updateat: ms, seen_s: s, at_us: us}\n",
                        "      visible: \"(deleteat = 0 or deleteat is null) and not removed and deleted is not true\"\n",
                        "      visible: deleted_ms is null\n",
                        "      epoch: {created_ms: ms}\n");
        List<Feed> feeds = resolve(yaml);
        feeds.forEach(ProposalsTest::assertPagesShowAllRows);
    }

    /** Each of these columns has only values that could be times. */
    @Test
    void aWholeNumberIsATimeOnlyIfTheLastWordOfItsNameIs() {
        DATABASE.run("""
                DROP SCHEMA IF EXISTS ledger CASCADE;
                CREATE SCHEMA ledger;
                CREATE TABLE ledger.entry (id int PRIMARY KEY, transaction_no bigint, update_count bigint, station bigint, format bigint,
                  population bigint, created_by bigint, time_zone bigint, last_seq bigint, revenue_us bigint,
                  created bigint, lastpostat bigint, timemodified bigint, "expiresAt" bigint, sent_s bigint, "startTime" bigint,
                  lastreplyat bigint, deleted_at bigint NOT NULL, is_removed int NOT NULL);
                INSERT INTO ledger.entry SELECT i, 1768557600, 1768557600, 1768557600, 1768557600, 1768557600, 1768557600, 1768557600,
                  1768557600, 1768557600, 1768557600, 1768557600, 1768557600, 1768557600, 1768557600, 1768557600, 1768557600, 0, 0 FROM generate_series(1, 9) i;
                """);
        assertThat(propose(List.of("ledger.entry")))
                .contains(
                        "      epoch: {created: s, lastpostat: s, timemodified: s, expiresAt: s, sent_s: s, startTime: s, lastreplyat: s}\n",
                        "      visible: \"deleted_at = 0 and is_removed = 0\"\n");
    }

    @ParameterizedTest
    @CsvSource({
        "emails text[], personal data (emails)",
        "email_normalized text, personal data (email_normalized)",
        "old_email_address_hashless varchar(99), personal data (old_email_address_hashless)",
        "contact jsonb, ''",
        "\"contactEmail\" jsonb, personal data (contactEmail)",
        "e_mail_2 text, personal data (e_mail_2)",
        "phone bigint, personal data (phone)",
        "phone_numbers text[], personal data (phone_numbers)",
        "home_phone_1 numeric, personal data (home_phone_1)",
        "mobile varchar(20), personal data (mobile)",
        "last_ip_v4 bigint, personal data (last_ip_v4)",
        "ips inet[], personal data (ips)",
        "emailaddress text, personal data (emailaddress)",
        "useremail text, personal data (useremail)",
        "contactphone text, personal data (contactphone)",
        "email_verified boolean, ''",
        "email_sent_at timestamptz, ''",
        "email_count int, ''",
        "microphone text, ''",
        "description text, ''",
        "ship_to text, ''",
        "telefon text, personal data (telefon)",
        "telefono varchar(20), personal data (telefono)",
        "\"téléphone\" text, personal data (téléphone)",
        "handynummer text, personal data (handynummer)",
        "courriel text, personal data (courriel)",
        "correo_electronico text, personal data (correo_electronico)",
        "lieferadresse text, personal data (lieferadresse)",
        "shipping_address jsonb, personal data (shipping_address)",
        "\"billingAddress\" text, personal data (billingAddress)",
        "adresse_de_livraison text, personal data (adresse_de_livraison)",
        "geburtsdatum date, personal data (geburtsdatum)",
        "date_of_birth date, personal data (date_of_birth)",
        "fecha_nacimiento date, personal data (fecha_nacimiento)",
        "mobility text, ''",
        "telemetry jsonb, ''",
        "shipped date, ''"
    })
    void aColumnWithAddressesIsRecognizedByAWordOfItsName(String column, String finding) {
        DATABASE.run("DROP TABLE IF EXISTS reachable; CREATE TABLE reachable (id int PRIMARY KEY, " + column + ")");
        String yaml = propose(List.of("reachable"));
        assertThat(finding.isEmpty() ? "it seems to hold " : "it seems to hold " + finding + ". ")
                .satisfies(text -> assertThat(yaml.contains(text)).as(yaml).isEqualTo(!finding.isEmpty()));
    }

    /** Their rows say what a person did or got. */
    @ParameterizedTest
    @CsvSource({
        "post_like, 'post_id int, person_id int', data of persons",
        "\"CommentVotes\", '\"userId\" int, up boolean', data of persons",
        "reactions, 'userid varchar(26), emojiname varchar(64)', data of persons",
        "person_mention, 'recipient_id int, read boolean', private messages",
        "notifications, 'body text', data of persons",
        "comment_reply, 'recipient_id int, comment_id int, read boolean', private messages",
        "registration_application, 'local_user_id int, answer text', data of persons",
        "user_sessions, 'user_id int, user_agent text', data of persons",
        "post_read, 'person_id int, post_id int', data of persons",
        "post_report, 'creator_id int, reason text', data of persons",
        "patients, 'first_name text, last_name text', data of persons",
        "hr_employee, 'full_name text, salary numeric', data of persons",
        "kunden, 'vorname text, nachname text', data of persons",
        "clientes, 'nombre text, apellidos text', data of persons",
        "utilisateurs, 'prenom text, nom text', data of persons",
        "poll_answers, 'voter_id int, choice int', data of persons",
        "audit_log, 'actor_id int, action text', data of persons",
        "benachrichtigungen, 'inhalt text', data of persons",
        "bewerbungen, 'benutzer_id int, anschreiben text', data of persons",
        "sales_by_customer, 'total int', ''",
        "film_actor, 'actor_id int, film_id int', ''",
        "threads, 'user_id int, title text', ''",
        "sessions, 'title text, room text', ''",
        "sessions, 'session_id int, title text', ''",
        "applications, 'name text, version int', ''",
        "film_rating, 'stars int, film int', ''"
    })
    void aTableAboutPersonsIsAComment(String table, String columns, String finding) {
        DATABASE.run("DROP SCHEMA IF EXISTS personal CASCADE; CREATE SCHEMA personal; CREATE TABLE personal." + table
                + " (id int PRIMARY KEY, " + columns + ")");
        String yaml = propose(List.of("personal." + table));
        if (finding.isEmpty()) {
            assertThat(yaml).doesNotContain("it seems to hold");
        } else {
            assertThat(yaml).contains("it seems to hold " + finding + ". ").doesNotContain("\n#: ");
            assertThat(resolve(uncommented(yaml).replace("feeds: {}", "feeds:")))
                    .hasSize(1);
        }
    }

    @Test
    void aRowOfATableAboutPersonsIsEmbeddedAsAComment() {
        DATABASE.run("""
                DROP SCHEMA IF EXISTS ward CASCADE;
                CREATE SCHEMA ward;
                CREATE TABLE ward.patients (id int PRIMARY KEY, full_name text);
                CREATE TABLE ward.rooms (id int PRIMARY KEY, name text);
                CREATE TABLE ward.employees (id int PRIMARY KEY, name text);
                CREATE TABLE ward.visits (id int PRIMARY KEY, patient_id int REFERENCES ward.patients,
                  doctor_id int REFERENCES ward.employees, room_id int REFERENCES ward.rooms, at timestamptz NOT NULL);
                """);
        assertThat(propose(List.of("ward.visits")))
                .contains(
                        "        # patient: {table: ward.patients,",
                        "        # doctor: {table: ward.employees,",
                        "        room: {table: ward.rooms,");
    }

    @Test
    void secretsAreLeftOutAlsoInEmbeds() {
        DATABASE.run("""
                DROP SCHEMA IF EXISTS crawl CASCADE;
                CREATE SCHEMA crawl;
                CREATE TABLE crawl.sources (id int PRIMARY KEY, title text, username text, password text, cookie text, webhook_url text,
                  proxy_user text, proxy_pass text, callback_url text);
                CREATE TABLE crawl.users (id int PRIMARY KEY, username text, password text);
                CREATE TABLE crawl.items (id int PRIMARY KEY, source_id int REFERENCES crawl.sources, publisher_id int REFERENCES crawl.users, title text);
                """);
        assertThat(propose(List.of("crawl.sources")))
                .contains(
                        "      # Left out: password (looks secret), cookie (looks secret), webhook_url (looks secret),"
                                + " proxy_pass (looks secret), callback_url (looks secret)\n",
                        "      columns: [id, title, username, proxy_user]\n");
        assertThat(propose(List.of("crawl.items")))
                .contains(
                        "source: {table: crawl.sources, on: {id: source_id}, columns: [title, username]}",
                        "publisher: {table: crawl.users, on: {id: publisher_id}, columns: [username]}");
    }

    @Test
    void aNumberOfDeletedThingsIsNoMarkOfDeletion() {
        DATABASE.run("""
                DROP SCHEMA IF EXISTS counted CASCADE;
                CREATE SCHEMA counted;
                CREATE TABLE counted.albums (id bigint PRIMARY KEY, title text, deleted_count int NOT NULL);
                INSERT INTO counted.albums SELECT i, 'album ' || i, i % 4 FROM generate_series(1, 200) i;
                ANALYZE counted.albums;
                """);
        assertThat(propose(List.of("counted.albums"))).doesNotContain("visible");
    }

    @Test
    void aTableThatLooksPrivateIsEmbeddedOnlyInAComment() {
        DATABASE.run("""
                DROP SCHEMA IF EXISTS reported CASCADE;
                CREATE SCHEMA reported;
                CREATE TABLE reported.private_messages (id bigint PRIMARY KEY, title text);
                CREATE TABLE reported.reports (id bigint PRIMARY KEY, title text,
                  message_id bigint NOT NULL REFERENCES reported.private_messages);
                """);
        assertThat(propose(List.of("reported.reports")))
                .containsPattern("# *message: .*private_messages")
                .doesNotContainPattern("(?m)^ *message: .*private_messages");
    }

    /**
     * The shared database contains the tables of other tests, all of which run with a {@code soak.factor}. Some tables
     * are large, and the servers of some foreign tables are gone.
     */
    @Test
    @EnabledIf("dev.tidemark.Soak#isOn")
    void everyRelationOfTheTestDatabaseIsProposedOrExplained() {
        TestDatabase shared = TestDatabase.get();
        assertThat(DeclaredFeeds.resolveFile(shared.catalogue(), propose(shared, List.of(), "tidemark"), false)
                        .all())
                .hasSizeGreaterThan(40);
    }

    @Test
    void aTableIsProposedAsAPersonWouldDeclareIt() {
        DATABASE.run("""
                DROP SCHEMA IF EXISTS desk CASCADE;
                CREATE SCHEMA desk;
                CREATE TABLE desk.tickets (
                  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, tenant_id uuid NOT NULL, subject text NOT NULL, status text NOT NULL,
                  priority smallint NOT NULL, api_token text, closed_at timestamptz, created_at timestamptz NOT NULL DEFAULT now(),
                  updated_at timestamptz, deleted_at timestamptz);
                CREATE FUNCTION desk.touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.updated_at := clock_timestamp(); RETURN NEW; END $$;
                CREATE TRIGGER touch BEFORE UPDATE ON desk.tickets FOR EACH ROW EXECUTE FUNCTION desk.touch();
                INSERT INTO desk.tickets (tenant_id, subject, status, priority) SELECT md5((i % 20)::text)::uuid, 'Ticket ' || i, (ARRAY['open', 'done'])[1 + i % 2], i % 3 FROM generate_series(1, 1000) i;
                UPDATE desk.tickets SET priority = priority WHERE id % 10 = 0;
                ANALYZE desk.tickets;
                """);

        String yaml = propose(List.of("desk.tickets"));

        assertThat(yaml.substring(yaml.indexOf("\n\n") + 2, yaml.indexOf("\n\n#:")))
                .isEqualTo("""
                            # desk.tickets: table, about 1,000 rows
                            tickets:
                              table: desk.tickets
                              key: [id]
                              # Left out: api_token (looks secret), deleted_at (see visible)
                              columns: [id, tenant_id, subject, status, priority, closed_at, created_at, updated_at]
                              orders:
                                newest: created_at desc
                                oldest: created_at
                                edited: updated_at desc nulls last
                              default-order: newest
                              live-orders: [edited]
                              filters:
                                tenant_id: equals   # about 20 values
                                status: equals   # about 2 values
                                priority: [equals, range]   # about 3 values
                                created_at: range
                                updated_at: range
                                # subject: text   # contains may read all 1,000 rows for a page
                              visible: deleted_at is null
                              # delta: true   # clients can refresh what they keep; costs about 4 µs for each page
                              scope: {tenant_id: "claim:tenant"}   # each caller sees only the rows of the tenant in the token
                              # public: true   # in place of the scope: everybody sees all rows; check then reports other missing indexes
                        """.stripTrailing().indent(0).stripTrailing());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "film        | edited: last_update desc",
                "customer    | # edited: last_update desc nulls last   # declare it, and live-orders: [edited], if every edit sets last_update to the current time; no trigger is known to",
                "rental      | # edited: last_update desc   # declare it, and live-orders: [edited], if every edit sets last_update to the current time; no trigger is known to",
                "customer    | newest: create_date desc",
                "actor       | newest: actor_id desc",
                "film_actor  | by-key: \"actor_id, film_id\"",
                "rental      | newest: rental_date desc",
                "staff       | # Left out: password (looks secret), picture (bytea)",
                "payment     | key: [payment_date, payment_id]",
                "film_list   | key: [fid]",
                "customer_list | key: [id]",
                "sales_by_customer | universal: {strategy: offset}",
                "rentals_by_day | key: [day]",
                "rentals_by_day | # delta: true   # clients can refresh what they keep; costs about 4 µs for each page",
                "rental | scope: {customer_id: \"claim:customer\"}   # each caller sees only the rows of the customer in the token",
                "rental | # public: true   # in place of the scope: everybody sees all rows; check then reports other missing indexes"
            })
    void choicesFollowFromTheCatalogue(String expectation) {
        String[] parts = expectation.split("\\s*\\| ", 2);
        assertThat(proposedFeed("rentals", parts[0])).contains("  " + parts[1] + "\n");
    }

    @Test
    void eachProposedScopeCanBeDeclared() {
        for (String table : List.of("forum.post", "forum.post_counts", "forum.community", "forum.community_follower")) {
            String yaml = propose(List.of(table));
            List<String> scopes =
                    yaml.lines().filter(line -> line.contains(" scope: {")).toList();
            assertThat(scopes).as(table).isNotEmpty();
            assertThat(scopes.get(0)).startsWith("      scope: ");
            for (String scope : scopes) {
                assertThat(resolve(yaml.replace(scopes.get(0), scope.replaceFirst("# scope", "scope")))
                                .get(0)
                                .access()
                                .isPublic())
                        .as(scope)
                        .isFalse();
            }
            assertThat(resolve(yaml.replace(scopes.get(0), "").replace("# public: ", "public: "))
                            .get(0)
                            .access()
                            .isPublic())
                    .isTrue();
        }
    }

    /** Uncomments the proposed lines, as a user would. */
    @Test
    void deltaAndScopesCanBeDeclaredAsProposed() {
        List<String> relations = relations("rentals");
        String yaml = propose(relations);
        List<Feed> feeds = resolve(yaml.replace("# delta: ", "delta: "));

        assertThat(feeds)
                .filteredOn(feed -> feed.policy().delta().isPresent())
                .extracting(Feed::name)
                .contains("film", "film_actor", "payment", "rentals_by_day")
                .doesNotContain("film_list", "sales_by_customer");
        assertThat(feeds)
                .filteredOn(feed -> !feed.access().scope().isEmpty())
                .extracting(Feed::name)
                .contains("rental");
    }

    @Test
    void aColumnThatMostTablesHaveIsProposedAsScope() {
        DATABASE.run("""
                DROP SCHEMA IF EXISTS wards CASCADE;
                CREATE SCHEMA wards;
                CREATE TABLE wards.wards (ward_id int PRIMARY KEY, name text);
                CREATE TABLE wards.beds (bed_id int PRIMARY KEY, ward_id int NOT NULL, state_id int);
                CREATE TABLE wards.stays (stay_id int PRIMARY KEY, ward_id int NOT NULL, bed_id int);
                CREATE TABLE wards.notes (note_id int PRIMARY KEY, ward_id int NOT NULL, stay_id int);
                """);
        String yaml = propose(List.of("wards.wards", "wards.beds", "wards.stays", "wards.notes"));

        assertThat(yaml.lines().filter(line -> line.contains(" scope: {")))
                .hasSize(3)
                .allMatch(line -> line.startsWith("      scope: {ward_id: \"claim:ward\"}"));
    }

    @Test
    void theIndexesOfSmallTablesAreComments() {
        DATABASE.run("""
                DROP SCHEMA IF EXISTS sizes CASCADE;
                CREATE SCHEMA sizes;
                CREATE TABLE sizes.small (id int PRIMARY KEY, at timestamptz NOT NULL);
                CREATE TABLE sizes.large (LIKE sizes.small INCLUDING ALL);
                CREATE TABLE sizes.small_unseen (LIKE sizes.small INCLUDING ALL);
                CREATE TABLE sizes.large_unseen (LIKE sizes.small INCLUDING ALL);
                CREATE TABLE sizes.small_parted (id int PRIMARY KEY, at timestamptz NOT NULL) PARTITION BY RANGE (id);
                CREATE TABLE sizes.small_part PARTITION OF sizes.small_parted FOR VALUES FROM (1) TO (9);
                ALTER TABLE sizes.small_unseen SET (autovacuum_enabled = off);
                ALTER TABLE sizes.large_unseen SET (autovacuum_enabled = off);
                INSERT INTO sizes.small_unseen SELECT i, now() FROM generate_series(1, 999) i;
                INSERT INTO sizes.large_unseen SELECT i, now() FROM generate_series(1, 1000) i;
                INSERT INTO sizes.small VALUES (1, now());
                INSERT INTO sizes.small_parted VALUES (1, now());
                INSERT INTO sizes.large SELECT i, now() FROM generate_series(1, 1000) i;
                ANALYZE sizes.small, sizes.large;
                CREATE VIEW sizes.small_view AS SELECT s.id, s.at FROM sizes.small s JOIN sizes.small_parted USING (id);
                CREATE VIEW sizes.large_view AS SELECT l.id, l.at FROM sizes.large l JOIN sizes.small s USING (id);
                """);
        List<String> lines = propose(List.of(
                        "sizes.small",
                        "sizes.large",
                        "sizes.small_unseen",
                        "sizes.large_unseen",
                        "sizes.small_parted",
                        "sizes.small_view",
                        "sizes.large_view"))
                .lines()
                .filter(line -> line.startsWith("#: "))
                .map(line -> line.substring(3))
                .toList();
        assertThat(lines)
                .containsSubsequence(
                        "-- Missing indexes. Create those for the lists that clients use.",
                        "-- large, order newest",
                        "-- Not needed now: indexes on tables that have fewer than 1,000 rows. Their lists are fast without an index, and each",
                        "-- small, order newest");
        assertThat(lines)
                .filteredOn(line -> line.contains("CREATE INDEX"))
                .extracting(
                        line -> line.replaceAll("(-- )?CREATE INDEX .* ON (sizes\\.\\w+) .*|.*CREATE INDEX.*", "$1$2"))
                .containsExactlyInAnyOrder(
                        "sizes.large",
                        "sizes.large_unseen",
                        "sizes.large",
                        "-- sizes.small",
                        "-- sizes.small_unseen",
                        "-- sizes.small",
                        "");
    }

    /** The application can insert every text after the proposed indexes are created. */
    @Test
    void noFilterIsProposedOnTextThatCanBeLong() {
        DATABASE.run("""
                DROP SCHEMA IF EXISTS reader CASCADE;
                CREATE SCHEMA reader;
                CREATE TABLE reader.entries (id bigint PRIMARY KEY, published_at timestamptz NOT NULL, status text NOT NULL, author text,
                  lang text, external_id text, title text, short varchar(50), code text CHECK (length(code) <= 20));
                INSERT INTO reader.entries SELECT i, now(), (ARRAY['read', 'unread'])[1 + i % 2], 'author' || i % 5, CASE WHEN i > 1 THEN 'en' ELSE repeat('x', 200) END,
                  'e' || i, 'title', 's' || i % 9, 'c' || i % 9 FROM generate_series(1, 2000) i;
                ANALYZE reader.entries;
                """);

        String yaml = propose(List.of("reader.entries"));

        assertThat(yaml)
                .contains(
                        "        status: equals   # about 2 values\n",
                        "        short: equals   # about 9 values\n",
                        "        code: equals   # about 9 values\n")
                .doesNotContain("author: equals", "lang: equals", "external_id: equals");
        executeAsPsql(statements(yaml));
        for (String column : List.of("author", "lang", "external_id", "title")) {
            // Random digits cannot be compressed to fit into an index.
            DATABASE.run("UPDATE reader.entries SET " + column
                    + " = (SELECT string_agg(md5(i::text), '') FROM generate_series(1, 300) i) WHERE id = 1");
        }
    }

    /** PostgreSQL has no index on a virtual generated column. */
    @Test
    void aVirtualColumnIsNeitherAnOrderNorAFilter() {
        DATABASE.assumeAtLeast(18);
        DATABASE.run("""
                DROP TABLE IF EXISTS public.invoices;
                CREATE TABLE public.invoices (id bigint PRIMARY KEY, cents bigint NOT NULL, shop_id int GENERATED ALWAYS AS (cents % 7),
                  active boolean GENERATED ALWAYS AS (cents > 50), score int GENERATED ALWAYS AS (cents * 2), stored int GENERATED ALWAYS AS (cents % 3) STORED,
                  created_at timestamp GENERATED ALWAYS AS (timestamp '2026-01-01' + cents * interval '1 s') VIRTUAL,
                  updated_at timestamp GENERATED ALWAYS AS (timestamp '2026-01-01' + cents * interval '1 s') VIRTUAL);
                INSERT INTO public.invoices (id, cents) SELECT i, i FROM generate_series(1, 2000) i;
                ANALYZE public.invoices;
                """);

        String yaml = propose(List.of("public.invoices"));

        assertThat(yaml)
                .contains(
                        "      orders:\n        by-key: id\n      filters:\n        cents: range\n        stored: [equals, range]   # about 3 values\n")
                .doesNotContain("shop_id: equals", "active: equals", "created_at: range", "top-score", "score: ");
        statements(yaml).stream()
                .filter(line -> line.startsWith("CREATE INDEX"))
                .forEach(DATABASE::run);
        assertThat(resolve(yaml)).hasSize(1);
    }

    @Test
    void theProposedStatementsCreateWhatIsMissing() {
        List<String> relations = Stream.of("film", "payment", "rental", "customer", "film_actor")
                .map(name -> "rentals." + name)
                .toList();
        String proposed = propose(relations);
        // The tables are small, and triggers make commits slower.
        assertThat(statements(proposed))
                .noneMatch(statement -> statement.contains("CREATE INDEX") || statement.contains("TRIGGER"));
        List<String> statements = statements(proposed.replaceAll("(?m)^#: -- (CREATE|SELECT format)", "#: $1"));
        assertThat(statements)
                .anyMatch(statement -> statement.startsWith("CREATE INDEX"))
                .anyMatch(statement -> statement.startsWith("CREATE OR REPLACE TRIGGER"))
                .anyMatch(statement -> statement.endsWith(" \\gexec"));
        executeAsPsql(statements);
        executeAsPsql(statements);

        String yaml = propose(relations);
        assertThat(statements(yaml)).allMatch(statement -> statement.startsWith("GRANT"));
        TestDatabase restricted = DATABASE.as("tidemark");
        try {
            assertThat(DeclaredFeeds.resolveFile(restricted.catalogue(), yaml, true)
                            .all())
                    .hasSize(relations.size() - 1);
            String withDelta = unscoped(yaml.replace("# delta: ", "delta: "));
            for (Feed feed : DeclaredFeeds.resolveFile(restricted.catalogue(), withDelta, false)
                    .all()) {
                PageRequest first = new PageRequest(Optional.empty(), 10);
                ListState list = new ListState(feed, feed.orders().byDefault(), List.of());
                Page page = read(restricted, list, first);
                assertThat(page.size()).isEqualTo(10);
                assertThat(read(restricted, list, first.withSince(page.moment()))
                                .size())
                        .isEqualTo(10);
            }
        } finally {
            restricted.close();
        }
    }

    @Test
    void theRoleMayReadTheMembershipsOfTheProposedScopes() {
        executeAsPsql(statements(propose(List.of("forum.post", "forum.community"))));
        TestDatabase restricted = DATABASE.as("tidemark");
        try {
            assertThat(DeclaredFeeds.resolveFile(
                                    restricted.catalogue(), propose(List.of("forum.post", "forum.community")), true)
                            .all())
                    .hasSize(2)
                    .allMatch(feed -> feed.access().memberships().findAny().isPresent());
        } finally {
            restricted.close();
        }
    }

    private static Page read(TestDatabase database, ListState list, PageRequest request) {
        return database.reader().read(list, request, row -> {}).await().atMost(TIMEOUT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Feed \"O'Reader\"", "user"})
    void grantsWorkForRolesThatNeedQuotes(String role) {
        DATABASE.run("DROP TABLE IF EXISTS granted; CREATE TABLE granted (id int PRIMARY KEY, api_key text)");
        String quoted = SqlQuoting.quoteIdentifier(role);
        try {
            List<String> statements = statements(propose(List.of("granted"), role));
            assertThat(statements).anyMatch(statement -> statement.startsWith("SELECT 'CREATE ROLE "));
            executeAsPsql(statements);
            executeAsPsql(statements);
            assertThat(DATABASE.rows("SET ROLE " + quoted + "; SELECT id FROM granted; RESET ROLE"))
                    .isEmpty();
        } finally {
            DATABASE.run("RESET ROLE; DROP OWNED BY " + quoted + "; DROP ROLE " + quoted);
        }
    }

    @Test
    void aCommentSaysThatTheRoleMayReadSecretColumns() {
        DATABASE.run("""
                DROP TABLE IF EXISTS accounts;
                DROP ROLE IF EXISTS wide;
                CREATE TABLE accounts (id int PRIMARY KEY, "Password" text, pin text);
                CREATE ROLE wide;
                """);
        try {
            assertThat(propose(List.of("accounts"), "wide")).doesNotContain("may already read");
            DATABASE.run("GRANT SELECT ON accounts TO wide");
            assertThat(propose(List.of("accounts"), "wide"))
                    .contains(
                            "#: -- The role may already read \"Password\", pin of public.accounts. If it has SELECT on the whole"
                                    + " table, run this first: REVOKE SELECT ON public.accounts FROM wide;\n"
                                    + "#: GRANT SELECT (id, xmin, tableoid) ON public.accounts TO wide;\n");
        } finally {
            DATABASE.run("DROP OWNED BY wide; DROP ROLE wide");
        }
    }

    @Test
    void anOrderOfAViewOmitsNullsLastForAColumnThatIsNotNullInItsTable() {
        DATABASE.run("""
                DROP TABLE IF EXISTS calls CASCADE;
                CREATE TABLE calls (id int PRIMARY KEY, created_at timestamptz NOT NULL, ended_at timestamptz, gone boolean NOT NULL);
                CREATE VIEW current_calls AS SELECT id, created_at FROM calls WHERE NOT gone;
                CREATE VIEW ended_calls AS SELECT id, ended_at AS created_at FROM calls;
                CREATE VIEW joined_calls AS SELECT o.id, c.created_at FROM calls o LEFT JOIN calls c ON c.id = o.id + 1;
                """);
        assertThat(propose(List.of("current_calls")))
                .contains("        newest: created_at desc\n        oldest: created_at\n");
        assertThat(propose(List.of("ended_calls"))).contains("        newest: created_at desc nulls last\n");
        assertThat(propose(List.of("joined_calls"))).contains("        newest: created_at desc nulls last\n");
    }

    /** PostgreSQL would not use the existing index for an order with NULLS LAST. */
    @Test
    void anOrderOmitsNullsLastIfNoRowHasANullAndAnIndexServesIt() {
        DATABASE.run("""
                DROP TABLE IF EXISTS posts CASCADE;
                CREATE TABLE posts (id int PRIMARY KEY, parent int, published timestamptz, score int, created timestamptz NOT NULL);
                CREATE INDEX ON posts (published DESC, id DESC);
                CREATE INDEX ON posts (created, id);
                CREATE INDEX ON posts (score);
                CREATE VIEW signed_posts AS SELECT p.id, p.created, a.score AS author FROM posts p LEFT JOIN posts a ON a.id = p.parent;
                INSERT INTO posts SELECT i, i, now() - i * interval '1 s', i, now() - i * interval '1 s' FROM generate_series(1, 2000) i;
                ALTER TABLE posts RENAME COLUMN created TO due;
                ANALYZE posts;
                """);
        String table = propose(List.of("posts"));
        assertThat(table)
                .contains("        newest: published desc\n        oldest: published\n        top-score: score desc\n")
                .doesNotContain("CREATE INDEX");
        String view = propose(List.of("signed_posts"));
        assertThat(view)
                .contains("        newest: created desc\n        oldest: created\n")
                .doesNotContain("CREATE INDEX");

        DATABASE.run("UPDATE posts SET published = NULL WHERE id % 9 = 0");
        DATABASE.run("ANALYZE posts");
        assertThat(propose(List.of("posts"))).contains("        newest: published desc nulls last\n");
    }

    /** A random key does not show when a row was inserted. */
    @Test
    void anIndexedTimeIsPreferredToARandomKey() {
        DATABASE.run("""
                DROP TABLE IF EXISTS visits;
                CREATE TABLE visits (id uuid PRIMARY KEY, next_visit date, ends_at timestamptz NOT NULL, expires_at timestamptz NOT NULL,
                  updated_at timestamptz NOT NULL);
                CREATE INDEX ON visits (next_visit); CREATE INDEX ON visits (updated_at);
                """);
        assertThat(propose(List.of("visits"))).contains("        by-key: id\n");

        DATABASE.run("CREATE INDEX ON visits (expires_at)");
        assertThat(propose(List.of("visits")))
                .contains("        newest: expires_at desc\n        oldest: expires_at\n")
                .doesNotContain("by-key");
    }

    /** A filter by payment_id would need an index, but would match only one row. */
    @Test
    void aUniqueNumberIsNotProposedAsAFilterEvenIfTheKeyHasMoreColumns() {
        assertThat(propose(List.of("rentals.payment")))
                .contains("        customer_id: equals")
                .doesNotContain("        payment_id: ", "a filter on payment_id");
    }

    /** The views have no rows, so nothing can be inferred from their data. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SELECT name AS label, code AS short FROM countries WHERE name <> 'x'                            | key: [short]
            SELECT code, name FROM countries WHERE EXISTS (SELECT code FROM cities WHERE country = code)    | key: [code]
            SELECT region, name, lower(code) AS code FROM countries                                         | key: [region, name]
            SELECT c.code, t.mayor FROM countries c JOIN cities t ON t.country = c.code                     | identify a row, perhaps [code] as
            SELECT c.code, t.mayor FROM countries c LEFT JOIN cities t ON t.country = c.code                | identify a row, perhaps [code] as
            SELECT code FROM countries UNION ALL SELECT code FROM countries                                 | by offset.
            SELECT code, generate_series(1, 2) AS n FROM countries                                          | identify a row, perhaps [code] as
            SELECT other AS code FROM countries WHERE code IN (SELECT code FROM countries)                  | by offset.
            SELECT other, (SELECT code FROM countries LIMIT 1) AS name FROM countries                       | by offset.
            SELECT code FROM parents                                                                        | identify a row, perhaps [code] as
            SELECT mayor FROM cities                                                                        | by offset.
            """)
    void theKeyOfAViewFollowsFromATableOnlyIfTheViewRepeatsNoRow(String definition, String expected) {
        DATABASE.run("""
                DROP SCHEMA IF EXISTS atlas CASCADE;
                CREATE SCHEMA atlas
                  CREATE TABLE countries (code text PRIMARY KEY, region text NOT NULL, name text NOT NULL, other text UNIQUE, UNIQUE (region, name))
                  CREATE TABLE cities (country text NOT NULL, mayor text UNIQUE)
                  CREATE TABLE parents (code text PRIMARY KEY)
                  CREATE TABLE children () INHERITS (parents)
                  CREATE VIEW listed AS
                """ + definition);
        String yaml = propose(List.of("atlas.listed"));
        assertThat(yaml).contains(expected);
        assertThat(yaml.contains("      key: [")).isEqualTo(expected.startsWith("key"));
    }

    @Test
    void anUnknownRelationIsRejected() {
        assertThatThrownBy(() -> propose(List.of("rentals.films")))
                .hasMessageContaining("There is no table or view rentals.films; the nearest name is rentals.film.");
    }

    /**
     * Executes each line on its own, because users can delete any line of a proposal. For a line that ends with {@code
     * \gexec}, also executes the statements in the rows of the result, as psql does.
     */
    private static void executeAsPsql(List<String> statements) {
        for (String statement : statements) {
            if (statement.endsWith("\\gexec")) {
                DATABASE.rows(statement.replace("\\gexec", "")).forEach(row -> DATABASE.rows(row.getString(0)));
            } else {
                assertThat(statement).endsWith(";");
                DATABASE.rows(statement);
            }
        }
    }

    private static List<String> statements(String yaml) {
        return yaml.lines()
                .filter(line -> line.startsWith("#: ") && !line.startsWith("#: --"))
                .map(line -> line.substring(3))
                .toList();
    }

    /** The proposal for all relations of a schema, to which tests add at most indexes and triggers. */
    private static String proposeSchema(String schema) {
        return SCHEMA_PROPOSALS.computeIfAbsent(schema, name -> propose(relations(name)));
    }

    /** The part of the proposal for a schema that is about one of its relations, with the relation as the heading. */
    private static String proposedFeed(String schema, String relation) {
        String yaml = proposeSchema(schema);
        int begin = yaml.indexOf("\n    # " + schema + '.' + relation + ": ");
        assertThat(begin).isPositive();
        return yaml.substring(begin, yaml.indexOf("\n\n", begin) + 1);
    }

    private static String propose(List<String> relations) {
        return propose(relations, "tidemark");
    }

    private static String propose(List<String> relations, String role) {
        return propose(DATABASE, relations, role);
    }

    private static String propose(TestDatabase database, List<String> relations, String role) {
        return new Proposals(
                        database.catalogue(),
                        new PgInventory(new Pool(database.pool()), database.catalogue()),
                        DeclaredFeeds.newFeedCheck(database.catalogue()))
                .write(Selection.of(relations), role);
    }

    private static List<String> relations(String schema) {
        return DATABASE
                .rows("SELECT format('%I.%I', schemaname, name) AS name FROM ("
                        + "SELECT schemaname, tablename AS name FROM pg_tables UNION ALL SELECT schemaname, viewname FROM pg_views"
                        + " UNION ALL SELECT schemaname, matviewname FROM pg_matviews) all_relations"
                        + " WHERE schemaname = '" + schema + "' AND name !~ '^payment_' ORDER BY name")
                .stream()
                .map(row -> row.getString("name"))
                .toList();
    }

    private static List<Feed> resolve(String yaml) {
        return DeclaredFeeds.resolveFile(DATABASE.catalogue(), yaml, false).all();
    }

    private static void assertPagesShowAllRows(Feed feed) {
        if (feed.relation().name().equals("failing_view")) {
            return;
        }
        long rows = DATABASE.rows("SELECT count(*) AS rows FROM " + Sql.relation(feed.relation())
                        + feed.relation()
                                .visible()
                                .map(visible -> " WHERE " + visible)
                                .orElse(""))
                .get(0)
                .getLong("rows");
        for (Order order : feed.orders().all()) {
            List<String> items = itemsOf(feed, order, 7);
            assertThat(items).as(feed.name() + " by " + order.name()).hasSize((int) rows);
            if (feed.relation().hasKey()
                    && feed.columns().containsAll(feed.relation().key())) {
                assertThat(items).as(feed.name() + " by " + order.name()).doesNotHaveDuplicates();
            }
        }
    }

    /** All items from the start to the end of a feed. */
    private static List<String> itemsOf(Feed feed, Order order, int limit) {
        List<String> items = new ArrayList<>();
        ItemWriter writer = ItemWriter.of(feed);
        RowSink sink = row -> {
            JsonBytes json = JsonBytes.acquire();
            writer.write(json, row);
            items.add(new String(json.toBytes(), StandardCharsets.UTF_8));
            json.release();
        };
        ListState list = new ListState(feed, order, List.of());
        if (!feed.relation().hasKey()) {
            OffsetPage page;
            do {
                OffsetRequest request = new OffsetRequest(items.size(), Direction.FORWARD, limit);
                page = DATABASE.reader().read(list, request, sink).await().atMost(TIMEOUT);
            } while (page.hasNext());
            return items;
        }
        PageRequest request = new PageRequest(Optional.empty(), limit, OptionalInt.empty(), Optional.empty());
        while (true) {
            Page page = DATABASE.reader().read(list, request, sink).await().atMost(TIMEOUT);
            if (!page.hasNext()) {
                return items;
            }
            request = new PageRequest(page.nextContinuation(), limit, OptionalInt.empty(), Optional.empty());
        }
    }
}
