-- The statement of the first page, as Tidemark executes it. compare.py reports if Tidemark executes a different statement.
--
--   PGOPTIONS='-c plan_cache_mode=force_generic_plan -c enable_sort=off -c enable_incremental_sort=off -c jit=off' \
--   pgbench -n -M prepared -c 20 -j 2 -T 10 -f first.sql DATABASE
(SELECT "messages"."id"::bigint, "messages"."created_at"::timestamp with time zone,
    "messages"."edited_at"::timestamp with time zone, "messages"."subject"::text, "messages"."body"::text,
    "messages"."status"::message_status::text, "messages"."assignee"::text
  FROM "public"."messages"
  WHERE ( deleted_at is null )
  ORDER BY "messages"."created_at" DESC, "messages"."id" DESC LIMIT 31);
