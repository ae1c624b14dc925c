package dev.tidemark.propose;

import static dev.tidemark.declare.FeedCheck.await;

import dev.tidemark.declare.Catalogue;
import dev.tidemark.declare.FeedCheck;
import dev.tidemark.declare.FeedCheck.CheckedFeeds;
import dev.tidemark.naming.NearestName;
import dev.tidemark.propose.Inventory.DatabaseFacts;
import dev.tidemark.propose.OwnerSql.ProposedFeed;
import dev.tidemark.settings.FeedSource;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes a complete {@code feeds.yaml}. Every feed in it has been parsed back from the YAML and has passed the startup
 * check. For each relation without a feed, a comment contains the reason. Blocks.
 */
@Singleton
public class Proposals {

    private static final String NEXT_STEPS = """

            # Next, after this SQL has run:
            # 1. Give the role a password, in psql: \\password %s
            # 2. Set QUARKUS_DATASOURCE_USERNAME=%s, QUARKUS_DATASOURCE_PASSWORD to that password, and
            #    QUARKUS_CONFIG_LOCATIONS to this file.
            # 3. Run Tidemark with the argument "check", then start it without an argument.
            """;

    private final Catalogue catalogue;
    private final Inventory inventory;
    private final FeedCheck check;
    private final KeyChooser keyChooser;
    private final EpochFinder epochs;

    public Proposals(Catalogue catalogue, Inventory inventory, FeedCheck check) {
        this.catalogue = catalogue;
        this.inventory = inventory;
        this.check = check;
        this.keyChooser = new KeyChooser(inventory);
        this.epochs = new EpochFinder(inventory);
    }

    /**
     * @param role the name of the role that will read the feeds
     * @return YAML
     * @throws IllegalArgumentException if the current role cannot read any table or view, or a selected one does not
     *     exist
     */
    public String write(Selection selection, String role) {
        List<String> readable = await(catalogue.findReadableRelations());
        if (readable.isEmpty() && selection.names().isEmpty()) {
            throw new IllegalArgumentException(
                    "The database role cannot read any table or view. Grant it SELECT, or connect as another role.");
        }
        List<String> names = selection.choose(readable);
        List<Optional<RelationFacts>> found = await(inventory.describe(names, role));
        Context context = context(found.stream().flatMap(Optional::stream).toList(), readable, role);
        FeedNames feedNames = new FeedNames();
        List<ProposedFeed> feeds = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            RelationFacts relation = found.get(i)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "There is no table or view " + name + NearestName.hint(name, readable) + "."));
            Optional<ProposedFeed> feed = propose(
                    context.references().complete(relation), feedNames.nameFor(relation.table()), context, text);
            feed.ifPresent(feeds::add);
        }
        DatabaseFacts database = await(inventory.database(role));
        return header(feeds, database) + text + footer(feeds, database, role);
    }

    /** What the relations in the same schemas say about the relations for which feeds are proposed. */
    private record Context(TenantColumnFinder tenants, ImpliedReferences references, Memberships memberships) {}

    private Context context(List<RelationFacts> relations, List<String> readable, String role) {
        Set<String> schemas = relations.stream()
                .map(relation -> relation.table().sqlSchema() + ".")
                .collect(Collectors.toSet());
        Set<String> described =
                relations.stream().map(relation -> relation.table().sqlName()).collect(Collectors.toSet());
        List<String> others = readable.stream()
                .filter(name -> !described.contains(name) && schemas.stream().anyMatch(name::startsWith))
                .toList();
        List<RelationFacts> all = Stream.concat(
                        relations.stream(),
                        await(inventory.describe(others, role)).stream().flatMap(Optional::stream))
                .toList();
        ImpliedReferences references = new ImpliedReferences(all);
        return new Context(
                TenantColumnFinder.of(all),
                references,
                new Memberships(all.stream().map(references::complete).toList()));
    }

    /** Appends the feed, or a comment that says why there is none. */
    private Optional<ProposedFeed> propose(RelationFacts relation, String name, Context context, StringBuilder text) {
        String problem = whyUnreadable(relation);
        if (problem.isEmpty()) {
            Optional<FeedDraft> draft = new FeedDrafter(
                            await(epochs.find(relation)),
                            await(keyChooser.choose(relation)),
                            context.tenants(),
                            context.memberships())
                    .draft(name);
            problem = "no column can be shown, or the rows cannot be sorted";
            for (FeedDraft candidate : draft.map(
                            whole -> List.of(whole, whole.withoutEmbeds(), whole.withoutOptionalProperties()))
                    .orElse(List.of())) {
                CheckedFeeds checked = check(candidate);
                Optional<ProposedFeed> feed = checked.feeds().stream()
                        .findFirst()
                        .map(found -> withDefaultNulls(new ProposedFeed(candidate, found)));
                if (feed.isPresent()) {
                    FeedDraft proposed = feed.get().draft();
                    Optional<String> sensitive = Sensitivity.find(relation);
                    text.append('\n')
                            .append(sensitive
                                    .map(content -> FeedYaml.writeAsComment(proposed, content))
                                    .orElseGet(() -> FeedYaml.write(proposed)));
                    return sensitive.isPresent() ? Optional.empty() : feed;
                }
                problem = String.join("; ", checked.faults().forFeed(name).all());
            }
        }
        text.append("\n    ")
                .append(YamlText.comment(FeedYaml.heading(relation) + ": left out, because " + problem))
                .append('\n');
        return Optional.empty();
    }

    private CheckedFeeds check(FeedDraft draft) {
        return await(check.checkBeforeAccess(List.of(FeedSource.of("proposed", FeedYaml.write(draft)))));
    }

    /** Leaves out NULLS LAST from the orders that an existing index serves without it, because no row has a NULL. */
    private ProposedFeed withDefaultNulls(ProposedFeed proposed) {
        Set<String> served = proposed.checkedFeed().missingIndexes().stream()
                .filter(missing -> missing.isServedWithDefaultNulls()
                        && missing.list().filterColumn().isEmpty())
                .map(missing -> missing.list().order())
                .collect(Collectors.toSet());
        if (served.isEmpty()) {
            return proposed;
        }
        FeedDraft draft = proposed.draft().withDefaultNulls(served);
        return check(draft).feeds().stream()
                .findFirst()
                .map(checked -> new ProposedFeed(draft, checked))
                .orElse(proposed);
    }

    private static String whyUnreadable(RelationFacts relation) {
        if (!relation.readable()) {
            return "the current role cannot read it";
        }
        return relation.populated() ? "" : "it has no rows until REFRESH MATERIALIZED VIEW has run";
    }

    private static String header(List<ProposedFeed> feeds, DatabaseFacts database) {
        String names = feeds.stream().map(feed -> feed.draft().name()).collect(Collectors.joining(", "));
        return """
                # Feeds over the database %s, proposed by Tidemark. Read this before you use it: feeds without roles or a scope
                # are open to everyone who can reach the server. All properties: src/site/markdown/declaring-feeds.md
                #
                # A feed with a scope needs tokens: until src/site/markdown/access.md is followed, the server does not start with
                # it. If everybody may read all rows of a feed, replace its scope by the line "public: true".
                #
                # Text search is commented out because of its cost: "prefix" needs an index on the column with the operator class
                # text_pattern_ops, for which texts must be short, and "contains" reads rows until a page is full.
                #
                # After you have uncommented a feed or changed one, the command "check --sql" writes what the database lacks for it.
                #
                # The lines at the end that begin with "#:" are SQL for the owner of the tables. To run all of them:
                #   sed -n 's/^#: //p' feeds.yaml | psql
                tidemark:
                  feeds:%s
                """.formatted(
                        database.name().replaceAll("\\R", " "),
                        names.isEmpty() ? " {}   # remove {} if you uncomment a feed" : "");
    }

    private static String footer(List<ProposedFeed> feeds, DatabaseFacts database, String role) {
        if (feeds.isEmpty()) {
            return "";
        }
        return OwnerSql.write(feeds, database).stream()
                .flatMap(String::lines)
                .map(line -> "#: " + line + "\n")
                .collect(Collectors.joining("", "\n", NEXT_STEPS.formatted(database.role(), role)));
    }
}
