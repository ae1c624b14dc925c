DROP SCHEMA IF EXISTS "Music" CASCADE;
CREATE SCHEMA "Music";
SET search_path = "Music";
CREATE TABLE "Artist" ("ArtistId" int PRIMARY KEY, "Name" varchar(120));
CREATE TABLE "Album" ("AlbumId" int PRIMARY KEY, "Title" varchar(160) NOT NULL, "ArtistId" int NOT NULL REFERENCES "Artist");
CREATE TABLE "Track" (
  "TrackId" int PRIMARY KEY, "Name" varchar(200) NOT NULL, "AlbumId" int REFERENCES "Album", "Milliseconds" int NOT NULL, "UnitPrice" numeric(10,2) NOT NULL);
CREATE TABLE "Customer" ("CustomerId" int PRIMARY KEY, "FirstName" varchar(40) NOT NULL, "Email" varchar(60) NOT NULL, "SupportRepId" int);
CREATE TABLE "Invoice" (
  "InvoiceId" int PRIMARY KEY, "CustomerId" int NOT NULL REFERENCES "Customer", "InvoiceDate" timestamp NOT NULL, "BillingCountry" varchar(40), "Total" numeric(10,2) NOT NULL);
CREATE TABLE "PlaylistTrack" ("PlaylistId" int NOT NULL, "TrackId" int NOT NULL REFERENCES "Track", CONSTRAINT pk PRIMARY KEY ("PlaylistId", "TrackId"));
INSERT INTO "Artist" SELECT i, 'Artist ' || i FROM generate_series(1, 20) i;
INSERT INTO "Album" SELECT i, 'Album ' || i, 1 + i % 20 FROM generate_series(1, 30) i;
INSERT INTO "Track" SELECT i, 'Track ' || i, 1 + i % 30, 1000 + i % 50, 0.99 FROM generate_series(1, 70) i;
INSERT INTO "Customer" SELECT i, 'Name ' || i, 'c' || i || '@example.org', 1 + i % 3 FROM generate_series(1, 10) i;
INSERT INTO "Invoice" SELECT i, 1 + i % 10, timestamp '2026-01-01' + i % 40 * interval '1 day', 'Chile', i * 0.99 FROM generate_series(1, 60) i;
INSERT INTO "PlaylistTrack" SELECT 1 + i % 3, i FROM generate_series(1, 70) i;
RESET search_path;
