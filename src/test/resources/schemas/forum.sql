-- A link aggregator: posts and comments of persons in communities, with the counts in a table of their own.
CREATE SCHEMA forum;
SET search_path = forum;
CREATE TABLE __diesel_schema_migrations (version text PRIMARY KEY, run_on timestamp NOT NULL DEFAULT now());
CREATE TABLE person (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, display_name text, avatar_url text,
  bio text, private_key text, joined_at timestamptz NOT NULL DEFAULT now());
CREATE TABLE account (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, person_id bigint NOT NULL UNIQUE REFERENCES person,
  email text NOT NULL, password_hash text NOT NULL);
CREATE TABLE login_token (token text PRIMARY KEY, person_id bigint NOT NULL REFERENCES person, created_at timestamptz NOT NULL DEFAULT now());
CREATE TABLE site_settings (id int PRIMARY KEY, title text NOT NULL, registration text NOT NULL);
CREATE TABLE community (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, title text NOT NULL, icon_url text,
  created_at timestamptz NOT NULL DEFAULT now());
CREATE TABLE community_follower (community_id bigint NOT NULL REFERENCES community, person_id bigint NOT NULL REFERENCES person,
  followed_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (person_id, community_id));
CREATE TABLE private_message (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, creator_id bigint NOT NULL REFERENCES person,
  recipient_id bigint NOT NULL REFERENCES person, content text NOT NULL, sent_at timestamptz NOT NULL DEFAULT now());
CREATE TABLE post (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, creator_id bigint NOT NULL REFERENCES person,
  community_id bigint NOT NULL REFERENCES community, title text NOT NULL, url text, body text, federation_id text NOT NULL UNIQUE,
  locked boolean NOT NULL DEFAULT false, pinned boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now(),
  removed boolean NOT NULL DEFAULT false);
CREATE TABLE post_counts (post_id bigint PRIMARY KEY REFERENCES post ON DELETE CASCADE, creator_id bigint NOT NULL REFERENCES person,
  community_id bigint NOT NULL REFERENCES community, comments int NOT NULL DEFAULT 0, score int NOT NULL DEFAULT 0,
  views int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now());
INSERT INTO person (name, display_name) SELECT 'person' || i, 'Person ' || i FROM generate_series(1, 20) i;
INSERT INTO account (person_id, email, password_hash) SELECT id, name || '@example.org', md5(name) FROM person;
INSERT INTO community (name, title) SELECT 'community' || i, 'Community ' || i FROM generate_series(1, 10) i;
INSERT INTO community_follower (community_id, person_id) SELECT 1 + i % 10, 1 + i % 20 FROM generate_series(1, 20) i;
INSERT INTO post (creator_id, community_id, title, federation_id, pinned, created_at)
  SELECT 1 + i % 20, 1 + i % 10, 'Post ' || i, 'https://forum.example.org/post/' || i, i % 100 = 0, '2026-01-01Z'::timestamptz + i * interval '1 minute'
  FROM generate_series(1, 1000) i;
INSERT INTO post_counts (post_id, creator_id, community_id, comments, score, views, created_at)
  SELECT id, creator_id, community_id, id * 7 % 401, id % 13, id * 3, created_at FROM post;
RESET search_path;
ANALYZE;
