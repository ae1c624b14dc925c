package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Access;
import dev.tidemark.feed.Column;
import dev.tidemark.naming.SqlQuoting;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Builds the SQL of one membership. NULLs among its values match nothing.
 *
 * @param firstParameter the number of the parameter for the first claim
 */
record MembershipSql(Access.Membership membership, int firstParameter) {

    /** The table of the membership in a subquery, in which no name of the feed's relation can be meant. */
    private static final String TABLE = "tidemark member";

    /** A condition on the rows of a relation that makes PostgreSQL join it with the membership. */
    String join(String relation) {
        return Sql.operand(relation, membership.column()) + " IN (SELECT " + value() + from() + ')';
    }

    /** The value of a row of the membership's table, in the collation in which it is compared. */
    private String value() {
        return Sql.operand(TABLE, membership.member())
                + membership.collation().map(name -> " COLLATE " + name).orElse("");
    }

    private String from() {
        return " FROM " + Sql.relation(membership.schema(), membership.table()) + ' '
                + SqlQuoting.quoteIdentifier(TABLE) + " WHERE "
                + IntStream.range(0, membership.where().size())
                        .mapToObj(i -> {
                            Column column = membership.where().get(i).column();
                            return Sql.operand(TABLE, column) + " = " + Sql.parameter(firstParameter + i, column);
                        })
                        .collect(Collectors.joining(" AND "));
    }
}
