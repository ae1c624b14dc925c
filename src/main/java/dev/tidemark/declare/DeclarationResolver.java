package dev.tidemark.declare;

import dev.tidemark.declare.Catalogue.ConditionFault;
import dev.tidemark.declare.Catalogue.Derivation;
import dev.tidemark.declare.Catalogue.KeyData;
import dev.tidemark.declare.Catalogue.TableColumnNames;
import dev.tidemark.declare.Catalogue.TableCondition;
import dev.tidemark.declare.Catalogue.TableExpression;
import dev.tidemark.declare.EmbedResolver.EmbeddedTable;
import dev.tidemark.feed.Feed;
import dev.tidemark.naming.NearestName;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Resolves declarations against the database. Mismatches are recorded as faults. For each kind of query, one batch is
 * sent for all declarations.
 */
final class DeclarationResolver {

    private static final String CANNOT_BE_READ = "cannot be read";

    private final Catalogue catalogue;

    DeclarationResolver(Catalogue catalogue) {
        this.catalogue = catalogue;
    }

    /** What a table is to a feed. */
    enum Role {
        /** The feed's own table. */
        OWN,
        EMBED,
        MEMBERSHIP,
        /** Named by {@code notify-on}. No statement reads it, so a change to the table does not concern the feed. */
        NOTIFYING
    }

    /** @param property the end of the name of the property that declares the condition */
    record DeclaredCondition(String property, String sql) {}

    /**
     * A table that a declaration names.
     *
     * @param prefix the start of the names of its properties, such as {@code embed.author.}
     * @param tableProperty the end of the name of the property that names the table
     * @param name the SQL name of the table or view
     * @param condition the condition on its rows
     * @param embed what is declared about an embed
     * @param table empty as long as it has not been found
     */
    record Source(
            Role role,
            String prefix,
            String tableProperty,
            String name,
            Optional<DeclaredCondition> condition,
            Optional<FeedDeclaration.Embed> embed,
            Optional<Table> table) {

        /** The tables of a declaration: its own first, and the others in their order. */
        static List<Source> of(FeedDeclaration declaration) {
            Source own = new Source(Role.OWN, "", "table", declaration.table())
                    .withCondition("visible", declaration.visible());
            return Stream.of(
                            Stream.of(own),
                            declaration.embeds().stream()
                                    .map(embed -> new Source(Role.EMBED, embed.property(""), "table", embed.table())
                                            .withEmbed(embed)),
                            declaration.access().memberships().stream().map(member -> new Source(
                                            Role.MEMBERSHIP, member.property(""), "in", member.table())
                                    .withCondition("if", member.condition())),
                            declaration.notifyOn().stream()
                                    .map(name -> new Source(Role.NOTIFYING, "", DeclarationParser.NOTIFY_ON, name)))
                    .flatMap(Function.identity())
                    .toList();
        }

        private Source(Role role, String prefix, String tableProperty, String name) {
            this(role, prefix, tableProperty, name, Optional.empty(), Optional.empty(), Optional.empty());
        }

        private Source withCondition(String property, Optional<String> sql) {
            Optional<DeclaredCondition> declared = sql.map(text -> new DeclaredCondition(property, text));
            return new Source(role, prefix, tableProperty, name, declared, embed, table);
        }

        private Source withEmbed(FeedDeclaration.Embed declared) {
            return new Source(role, prefix, tableProperty, name, condition, Optional.of(declared), table);
        }

        private Source withTable(Optional<Table> found) {
            return new Source(role, prefix, tableProperty, name, condition, embed, found);
        }

        /** Whether the statements of the feed read the table. */
        private boolean isRead() {
            return role != Role.NOTIFYING;
        }

        /** Returns this table to be found again by the name that it has in the catalogue, if it is read. */
        private Source again() {
            String found = table.orElseThrow().sqlName();
            return isRead() ? new Source(role, prefix, tableProperty, found, condition, embed, Optional.empty()) : this;
        }
    }

    /**
     * A feed with its declaration and tables.
     *
     * @param sources all of them have been found
     */
    record ResolvedFeed(FeedDeclaration declaration, Feed feed, List<Source> sources) {

        ResolvedFeed withFeed(Feed newFeed) {
            return new ResolvedFeed(declaration, newFeed, sources);
        }

        Table table() {
            return tables(source -> source.role() == Role.OWN).get(0);
        }

        /** The tables of the feed's embeds, in their order. */
        List<Table> embeddedTables() {
            return tables(source -> source.role() == Role.EMBED);
        }

        /** The tables of the memberships in the feed's scope, in their order. */
        List<Table> membershipTables() {
            return tables(source -> source.role() == Role.MEMBERSHIP);
        }

        /** The tables of {@code notify-on}. */
        List<Table> notifyingTables() {
            return tables(source -> source.role() == Role.NOTIFYING);
        }

        /** The tables that the statements of the feed read. */
        List<Table> tables() {
            return tables(Source::isRead);
        }

        private List<Table> tables(Predicate<Source> included) {
            return sources.stream()
                    .filter(included)
                    .map(source -> source.table().orElseThrow())
                    .toList();
        }

        /** Returns an attempt to resolve the declaration again, over the same tables. */
        Attempt attemptAgain(Faults.FeedFaults faults) {
            return new Attempt(declaration, sources.stream().map(Source::again).toList(), faults);
        }
    }

    /** The state of resolving one declaration: first its tables are found, then its feed is built. */
    static final class Attempt {

        private final FeedDeclaration declaration;
        private final List<Source> sources;
        private final Faults.FeedFaults faults;
        private final Set<String> rejectedSources = new HashSet<>();
        private final Map<String, KeyData> keyData = new HashMap<>();
        private Optional<Feed> feed = Optional.empty();

        Attempt(FeedDeclaration declaration, Faults.FeedFaults faults) {
            this(declaration, Source.of(declaration), faults);
        }

        private Attempt(FeedDeclaration declaration, List<Source> sources, Faults.FeedFaults faults) {
            this.declaration = declaration;
            this.sources = new ArrayList<>(sources);
            this.faults = faults;
        }

        private Optional<Table> table() {
            return sources.get(0).table();
        }

        private Stream<Source> sources(Role role) {
            return sources.stream().filter(source -> source.role() == role);
        }

        /** The tables that have not been found. */
        private Stream<Source> missing() {
            return sources.stream().filter(source -> source.table().isEmpty());
        }

        /** @param found the next elements are those of the missing tables */
        private void setTables(Iterator<Optional<Table>> found) {
            sources.replaceAll(source -> source.table().isPresent() ? source : source.withTable(found.next()));
        }

        /** The tables that were declared and not found. */
        private Stream<MissingTable> missingTables() {
            return missing()
                    .filter(source -> !source.name().isEmpty())
                    .map(source -> new MissingTable(this, source.prefix() + source.tableProperty(), source.name()));
        }

        /** The embeds whose rows the catalogue does not identify by the declared columns. */
        private Stream<DoubtfulKey> doubtfulKeys() {
            return sources(Role.EMBED).flatMap(source -> {
                FeedDeclaration.Embed embed = source.embed().orElseThrow();
                List<String> names = List.copyOf(embed.on().keySet());
                return source.table().stream()
                        .filter(other -> EmbedResolver.isDoubtful(other, names))
                        .map(other -> new DoubtfulKey(this, embed.name(), new TableColumnNames(other, names)));
            });
        }

        /** The declared expressions over the feed's own table. */
        private Stream<DerivedColumn> derivedColumns() {
            return table().stream().flatMap(own -> declaration.derived().entrySet().stream()
                    .map(derived ->
                            new DerivedColumn(this, new TableExpression(own, derived.getKey(), derived.getValue()))));
        }

        private void setDerived(TableExpression expression, Derivation derivation) {
            String property = DeclarationParser.DERIVED + '.' + expression.name();
            boolean isTaken = expression.table().find(expression.name()).isPresent();
            if (isTaken) {
                faults.add(
                        property,
                        "a derived column must not have the name of a column of "
                                + expression.table().sqlName());
            } else if (derivation.column().isEmpty()) {
                faults.add(property, derivation.fault());
            } else {
                Source own = sources.get(0);
                sources.set(
                        0,
                        own.withTable(own.table()
                                .map(table -> table.withDerived(
                                        List.of(derivation.column().get())))));
            }
        }

        private void resolve() {
            List<EmbeddedTable> embedded = sources(Role.EMBED)
                    .map(source -> {
                        FeedDeclaration.Embed embed = source.embed().orElseThrow();
                        return new EmbeddedTable(
                                embed, source.table(), keyData.getOrDefault(embed.name(), KeyData.UNKNOWN));
                    })
                    .toList();
            List<Optional<Table>> memberships =
                    sources(Role.MEMBERSHIP).map(Source::table).toList();
            List<Table> notifying = sources(Role.NOTIFYING)
                    .flatMap(source -> source.table().stream())
                    .toList();
            notifying.forEach(table -> FeedResolver.checkNotifies(table, faults));
            feed = table().flatMap(own ->
                    new FeedResolver(declaration, own, embedded, memberships, notifying, faults).resolve());
        }

        /**
         * Records only the first rejected condition of each table: if the table cannot be read, the database rejects
         * all conditions.
         */
        private void reject(Source source, String property, String message) {
            if (rejectedSources.add(source.prefix())) {
                faults.add(source.prefix() + property, message);
            }
        }

        /** The feed, if no condition on its tables has been rejected. */
        private Optional<Feed> acceptedFeed() {
            return rejectedSources.isEmpty() ? feed : Optional.empty();
        }

        private void rejectStatement(String fault) {
            faults.add("table", fault);
            feed = Optional.empty();
        }

        /** Checks that the tables that were found can be read, and then the conditions on them. */
        private Stream<Check> checks() {
            return sources.stream().filter(Source::isRead).flatMap(source -> source.table().stream()
                    .flatMap(table -> Stream.concat(
                            Stream.of(new Check(
                                    this,
                                    source,
                                    source.tableProperty(),
                                    CANNOT_BE_READ,
                                    new TableCondition(table, "true"))),
                            source.condition().stream()
                                    .map(condition -> new Check(
                                            this,
                                            source,
                                            condition.property(),
                                            "is not a valid condition",
                                            new TableCondition(table, condition.sql()))))));
        }

        private Optional<ResolvedFeed> result() {
            return acceptedFeed().map(built -> new ResolvedFeed(declaration, built, List.copyOf(sources)));
        }
    }

    private record DerivedColumn(Attempt attempt, TableExpression expression) {}

    private record DoubtfulKey(Attempt attempt, String embed, TableColumnNames columns) {}

    private record MissingTable(Attempt attempt, String property, String name) {

        /** @param nameFault why the database rejects the name; empty if no table or view has this name */
        void report(Optional<String> nameFault, List<String> readableRelations) {
            attempt.faults.add(
                    property,
                    nameFault
                            .map(fault -> CANNOT_BE_READ + ": " + fault)
                            .orElseGet(() -> "there is no table or view '" + name + "'"
                                    + NearestName.hint(name, readableRelations)));
        }
    }

    /**
     * A condition that the database must accept. If it rejects the condition, the property has a fault.
     *
     * @param fault what a condition means that the database rejects, although the role may read what it needs
     */
    private record Check(Attempt attempt, Source source, String property, String fault, TableCondition condition) {

        String message(ConditionFault rejected) {
            return (rejected.isForPrivilege() ? CANNOT_BE_READ : fault) + ": " + rejected.reason();
        }
    }

    /** @return the feed of each attempt, in the same order; an empty element for an attempt with faults */
    Uni<List<Optional<ResolvedFeed>>> resolve(List<Attempt> attempts) {
        return catalogue
                .findTables(attempts.stream()
                        .flatMap(Attempt::missing)
                        .map(Source::name)
                        .toList())
                .invoke(tables -> {
                    Iterator<Optional<Table>> found = tables.iterator();
                    attempts.forEach(attempt -> attempt.setTables(found));
                })
                .chain(() -> reportMissing(
                        attempts.stream().flatMap(Attempt::missingTables).toList()))
                .chain(() -> inspectKeys(
                        attempts.stream().flatMap(Attempt::doubtfulKeys).toList()))
                .chain(() -> derive(
                        attempts.stream().flatMap(Attempt::derivedColumns).toList()))
                .invoke(() -> attempts.forEach(Attempt::resolve))
                .chain(() ->
                        runChecks(attempts.stream().flatMap(Attempt::checks).toList()))
                .chain(() -> checkStatements(attempts.stream()
                        .filter(attempt -> attempt.acceptedFeed().isPresent())
                        .toList()))
                .map(done -> attempts.stream().map(Attempt::result).toList());
    }

    private Uni<Void> derive(List<DerivedColumn> columns) {
        return columns.isEmpty()
                ? Uni.createFrom().voidItem()
                : catalogue
                        .derive(columns.stream().map(DerivedColumn::expression).toList())
                        .invoke(found -> {
                            for (int i = 0; i < columns.size(); i++) {
                                columns.get(i)
                                        .attempt()
                                        .setDerived(columns.get(i).expression(), found.get(i));
                            }
                        })
                        .replaceWithVoid();
    }

    private Uni<Void> inspectKeys(List<DoubtfulKey> keys) {
        return keys.isEmpty()
                ? Uni.createFrom().voidItem()
                : catalogue
                        .inspectKeys(keys.stream().map(DoubtfulKey::columns).toList())
                        .invoke(found -> {
                            for (int i = 0; i < keys.size(); i++) {
                                keys.get(i).attempt().keyData.put(keys.get(i).embed(), found.get(i));
                            }
                        })
                        .replaceWithVoid();
    }

    private Uni<Void> reportMissing(List<MissingTable> missing) {
        return missing.isEmpty()
                ? Uni.createFrom().voidItem()
                : Uni.combine()
                        .all()
                        .unis(
                                catalogue.checkNames(
                                        missing.stream().map(MissingTable::name).toList()),
                                catalogue.findReadableRelations())
                        .with((nameFaults, readable) -> {
                            for (int i = 0; i < missing.size(); i++) {
                                missing.get(i).report(nameFaults.get(i), readable);
                            }
                            return null;
                        });
    }

    private Uni<Void> runChecks(List<Check> checks) {
        return catalogue
                .checkConditions(checks.stream().map(Check::condition).toList())
                .invoke(faults -> {
                    for (int i = 0; i < checks.size(); i++) {
                        Check check = checks.get(i);
                        faults.get(i).ifPresent(fault -> check.attempt()
                                .reject(check.source(), check.property(), check.message(fault)));
                    }
                })
                .replaceWithVoid();
    }

    /** Checks the privileges that the conditions do not need, such as those on single columns. */
    private Uni<Void> checkStatements(List<Attempt> accepted) {
        return catalogue
                .checkStatements(accepted.stream()
                        .flatMap(attempt -> attempt.acceptedFeed().stream())
                        .toList())
                .invoke(faults -> {
                    for (int i = 0; i < accepted.size(); i++) {
                        faults.get(i).ifPresent(accepted.get(i)::rejectStatement);
                    }
                })
                .replaceWithVoid();
    }
}
