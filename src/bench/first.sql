-- The first page as Tidemark executes it; compare.py says so when it does not any more.
--
--   PGOPTIONS='-c plan_cache_mode=force_generic_plan -c enable_sort=off -c enable_incremental_sort=off -c jit=off' \
--   pgbench -n -M prepared -c 20 -j 2 -T 10 -f first.sql DATABASE
SELECT page."the part", page."id"::bigint,
  pg_catalog.timestamptz_send(page."created_at"::timestamp with time zone), pg_catalog.timestamptz_send(page."edited_at"::timestamp with time zone),
  page."subject"::text, page."body"::text, page."status"::message_status::text, page."assignee"::text
FROM ((SELECT 1 AS "the part", "messages"."id", "messages"."created_at", "messages"."edited_at", "messages"."subject",
    "messages"."body", "messages"."status", "messages"."assignee" FROM "public"."messages"
  WHERE ( deleted_at is null )
  ORDER BY "messages"."created_at" DESC, "messages"."id" DESC LIMIT 31)) page;
