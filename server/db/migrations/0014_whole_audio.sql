-- outside of a transaction
ALTER TABLE "songs" ADD COLUMN IF NOT EXISTS "audio" jsonb;--> statement-breakpoint
ALTER TABLE "songs" ADD COLUMN IF NOT EXISTS "blocked_audio_url" text;--> statement-breakpoint
ALTER TABLE "songs" ADD COLUMN IF NOT EXISTS "audio_checked_at" timestamp with time zone;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "songs_audio";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "songs_audio" ON "songs" USING btree ("microgenre_id","id") WHERE "songs"."audio" is not null;
