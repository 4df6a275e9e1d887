-- outside of a transaction
DROP INDEX CONCURRENTLY IF EXISTS "songs_isrc";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "songs_isrc" ON "songs" USING btree ("isrc") WHERE "songs"."isrc" is not null;
