-- Creates the table of the example with some rows, and the role that Tidemark uses, which can only read this table.
-- The PostgreSQL image runs this script once, in the database shop, when it starts with an empty data directory.

CREATE TABLE public.orders (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  placed_at timestamptz NOT NULL DEFAULT now(),
  customer text NOT NULL,
  total numeric(10, 2) NOT NULL,
  cancelled_at timestamptz
);

INSERT INTO public.orders (placed_at, customer, total, cancelled_at)
SELECT at, (ARRAY['amara', 'bruno', 'chen', 'dilan', 'elif'])[1 + i % 5], 5 + i * 7919 % 20000 / 100.0,
  CASE WHEN i % 17 = 0 THEN at + interval '1 hour' END
FROM generate_series(1, 10000) i, LATERAL (SELECT timestamptz '2026-01-01 08:00Z' + i / 2 * interval '90 seconds' AS at) placed;

CREATE INDEX orders_newest ON public.orders (placed_at DESC, id DESC);
CREATE INDEX orders_largest ON public.orders (total DESC, placed_at DESC, id DESC);
CREATE INDEX orders_customer_newest ON public.orders (customer, placed_at DESC, id DESC);
CREATE INDEX orders_customer_largest ON public.orders (customer, total DESC, placed_at DESC, id DESC);

-- Notifies Tidemark of changes, for clients that watch for new items.
CREATE FUNCTION public.tidemark_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_catalog.pg_notify('tidemark', TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME);
  RETURN NULL;
END $$;
CREATE TRIGGER tidemark_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON public.orders
  FOR EACH STATEMENT EXECUTE FUNCTION public.tidemark_notify();

CREATE ROLE tidemark LOGIN;
GRANT USAGE ON SCHEMA public TO tidemark;
GRANT SELECT ON public.orders TO tidemark;

ANALYZE public.orders;
