package dev.tidemark.postgres;

import java.util.List;

/**
 * A table of 120 rows with a column of each key type. Each column has ties, NULLs if it allows them, and the most
 * unusual values of its type. The values of different columns repeat with different periods, so that they occur in
 * many combinations.
 */
public final class KeyTypesTable {

    static final List<String> COLUMNS = List.of(
            "tie",
            "small_n",
            "int_n",
            "big_n",
            "num_n",
            "real_n",
            "double_n",
            "flag",
            "word",
            "word_n",
            "fixed_n",
            "varying_n",
            "icu_n",
            "uuid_n",
            "day",
            "time_n",
            "stamp",
            "stamp_n",
            "local_n",
            "mood",
            "mood_n",
            "domain_n");

    public static final String DDL = """
            DROP TABLE IF EXISTS shapes;
            DROP DOMAIN IF EXISTS shapes_amount;
            DROP TYPE IF EXISTS shapes_mood;
            CREATE TYPE shapes_mood AS ENUM ('sad', 'ok', 'happy');
            CREATE DOMAIN shapes_amount AS numeric(10, 2) CHECK (value > -1000);
            CREATE TABLE shapes (
              id bigint PRIMARY KEY,
              tie int NOT NULL, small_n smallint, int_n int, big_n bigint, num_n numeric, real_n real,
              double_n double precision, flag boolean, word text NOT NULL, word_n text, fixed_n char(5),
              varying_n varchar(20), icu_n text COLLATE "en-x-icu", uuid_n uuid, day date NOT NULL, time_n time,
              stamp timestamptz NOT NULL, stamp_n timestamptz, local_n timestamp, mood shapes_mood NOT NULL,
              mood_n shapes_mood, domain_n shapes_amount);
            INSERT INTO shapes SELECT i,
              i % 4,
              (ARRAY[-32768, 0, 32767, NULL, 5])[1 + i % 5],
              (ARRAY[-2147483648, 0, 2147483647, NULL])[1 + i % 4],
              (ARRAY[-9223372036854775808, 9007199254740993, 9223372036854775807, NULL, 0, 9007199254740992])[1 + i % 6],
              (ARRAY['1.10', '1.1', 'NaN', '-0.00000000000000000001', '123456789012345678901234567890.123', NULL,
                     'Infinity', '-Infinity']::numeric[])[1 + i % 8],
              (ARRAY['0.1', '-0', '0', 'NaN', 'Infinity', '-Infinity', '1e-45', '3.4028235e38', '0.3', NULL]::real[])[1 + i % 10],
              (ARRAY['0.1', '-0', '0', 'NaN', 'Infinity', '-Infinity', '5e-324', '1.7976931348623157e308', NULL]::float8[])[1 + i % 9],
              (ARRAY[true, false, NULL])[1 + i % 3],
              (ARRAY['', 'a', 'B', 'ä', 'z', E'\\\\', '%', '𝄞'])[1 + i % 8],
              (ARRAY['a''b', 'A', NULL, 'é', E'e\\u0301', ' ', '"'])[1 + i % 7],
              (ARRAY['a', 'ab', NULL, 'B'])[1 + i % 4],
              (ARRAY['x', 'Y', NULL])[1 + i % 3],
              (ARRAY['ä', 'a', 'Z', 'z', NULL, 'A'])[1 + i % 6],
              (ARRAY['00000000-0000-0000-0000-000000000001', 'ffffffff-ffff-ffff-ffff-ffffffffffff',
                     '80000000-0000-0000-0000-000000000000', NULL]::uuid[])[1 + i % 4],
              (ARRAY['2026-01-16', '-infinity', 'infinity', '0044-03-15 BC', '5874897-12-31', '4714-11-24 BC']::date[])[1 + i % 6],
              (ARRAY['00:00', '24:00:00', '10:00:00.000001', NULL]::time[])[1 + i % 4],
              (ARRAY['2026-01-16 10:00:00.123456+00', '2026-01-16 10:00:00.123457+00', 'infinity', '-infinity',
                     '2026-01-16 10:00:00.1+00']::timestamptz[])[1 + i % 5],
              (ARRAY['2026-01-16 10:00:00.123456+00', NULL, '294276-12-31 23:59:59.999999+00', 'infinity',
                     '4714-11-24 00:00:00+00 BC', NULL, '0001-12-31 23:59:59.5+00 BC']::timestamptz[])[1 + i % 7],
              (ARRAY['2026-01-16 10:00:00.000001', NULL, '-infinity', '0099-01-01 00:00:00']::timestamp[])[1 + i % 4],
              (ARRAY['sad', 'happy', 'ok']::shapes_mood[])[1 + i % 3],
              (ARRAY['sad', NULL]::shapes_mood[])[1 + i % 2],
              (ARRAY[1.5, NULL, -2.25])[1 + i % 3]
            FROM generate_series(1, 120) i;
            ANALYZE shapes;
            """;

    private KeyTypesTable() {}
}
