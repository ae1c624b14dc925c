package dev.tidemark.inbox;

import java.util.Arrays;
import java.util.Optional;

/** The statements of the stability lab, for each order that it can scroll through. */
enum LabSql {
    newest(
            "created_at",
            "created_at desc, id desc",
            "created_at <= $1::timestamptz",
            "(created_at, id) >= ($2::timestamptz, $3::bigint)"),

    /** Edited items have moved. Items that were never edited are at the end of the list. */
    edited(
            "edited_at",
            "edited_at desc nulls last, id desc",
            "created_at <= $1::timestamptz and (edited_at is null or edited_at <= $1::timestamptz)",
            """
            case when $2::timestamptz is null then edited_at is not null or id >= $3::bigint
                 else (edited_at, id) >= ($2::timestamptz, $3::bigint) end""");

    /** An offset page: the $1 rows after the first $2 rows, each with the value of the sort key. */
    final String offsetPage;

    /** The ids, in list order, of the items that have not moved since $1, down to the item at ($2, $3). */
    final String unmovedItems;

    LabSql(String key, String order, String unmovedCondition, String notBelowCondition) {
        offsetPage = """
                select id::text, subject, to_json(%s) #>> '{}' from public.messages where deleted_at is null
                order by %s limit $1 offset $2""".formatted(key, order);
        unmovedItems = """
                select id from public.messages where deleted_at is null and %s and %s
                order by %s""".formatted(unmovedCondition, notBelowCondition, order);
    }

    static Optional<LabSql> ofOrder(String name) {
        return Arrays.stream(values())
                .filter(order -> order.name().equals(name))
                .findFirst();
    }
}
