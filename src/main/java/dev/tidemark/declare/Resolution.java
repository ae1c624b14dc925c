package dev.tidemark.declare;

import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.Feed;
import io.smallrye.mutiny.Uni;
import java.util.Optional;
import java.util.stream.Collectors;

/** Holds declarations against the database, one at a time; whatever is wrong becomes a fault. */
final class Resolution {

    private final Catalogue catalogue;

    Resolution(Catalogue catalogue) {
        this.catalogue = catalogue;
    }

    /** A feed that was found whole, and what it is over. */
    record Found(FeedDeclaration declaration, Feed feed, Table table) {}

    /**
     * @param table the one to hold it against, as SQL names it
     * @return nothing when there were faults
     */
    Uni<Optional<Found>> resolve(FeedDeclaration declaration, String table, Faults.OfFeed faults) {
        return catalogue.find(table).chain(found -> {
            if (found.isEmpty()) {
                faults.add("table", "there is no table or view " + table);
                return Uni.createFrom().item(Optional.empty());
            }
            return resolve(declaration, found.get(), faults);
        });
    }

    private Uni<Optional<Found>> resolve(FeedDeclaration declaration, Table table, Faults.OfFeed faults) {
        return catalogue
                .faultOf(table, "true")
                .invoke(fault -> fault.ifPresent(reason -> faults.add("table", "cannot be read: " + reason)))
                .chain(fault -> fault.isPresent() || declaration.visible().isEmpty()
                        ? Uni.createFrom().item(Optional.<String>empty())
                        : catalogue.faultOf(table, declaration.visible().get()))
                .invoke(fault -> fault.ifPresent(
                        reason -> faults.add("visible", "is no condition on the table's rows: " + reason)))
                .map(checked -> new FeedResolver(declaration, table, faults).resolve())
                .chain(feed -> feed.isEmpty()
                        ? Uni.createFrom().item(Optional.<Found>empty())
                        : readable(new Found(declaration, feed.get(), table), faults));
    }

    /** Who may read a table need not be let read all of its columns. */
    private Uni<Optional<Found>> readable(Found found, Faults.OfFeed faults) {
        String row = found.feed().usedColumns().keySet().stream()
                .flatMap(name -> found.table().find(name).stream())
                .map(TableColumn::sqlName)
                .collect(Collectors.joining(", ", "ROW(", ") IS NULL"));
        return catalogue
                .faultOf(found.table(), row)
                .invoke(fault -> fault.ifPresent(reason -> faults.add("columns", "cannot be read: " + reason)))
                .map(fault -> fault.isPresent() ? Optional.empty() : Optional.of(found));
    }
}
