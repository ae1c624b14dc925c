-- The statement of a random deep page, as Tidemark executes it. compare.py reports if Tidemark executes a different statement.
--
--   PGOPTIONS='-c plan_cache_mode=force_generic_plan -c enable_sort=off -c enable_incremental_sort=off -c jit=off' \
--   pgbench -n -M prepared -c 20 -j 2 -T 10 -D oldest=1764928800 -D newest=1768557600 -D rows=1000000 -f deep.sql DATABASE
--
-- pgbench has no text variables, so this script passes seconds since 1970 instead of the text of a timestamp.
\set seconds random(:oldest, :newest)
\set id random(1, :rows)
(SELECT "messages"."id"::bigint, "messages"."created_at"::timestamp with time zone,
    "messages"."edited_at"::timestamp with time zone, "messages"."subject"::text, "messages"."body"::text,
    "messages"."status"::message_status::text, "messages"."assignee"::text
  FROM "public"."messages"
  WHERE ( deleted_at is null ) AND ("messages"."created_at", "messages"."id")
    <= (to_timestamp(:seconds::text::double precision), :id::text::bigint)
  ORDER BY "messages"."created_at" DESC, "messages"."id" DESC LIMIT 32);
