-- outside of a transaction
DROP INDEX CONCURRENTLY IF EXISTS "songs_isrc";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "feedback_user_id";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "feedback_user_id" ON "feedback" USING btree ("user_id");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "follows_followers";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "follows_followers" ON "follows" USING btree ("followed_id","created_at","follower_id");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "follows_following";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "follows_following" ON "follows" USING btree ("follower_id","created_at","followed_id");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "follows_followed_id";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "share_tokens_user_id";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "share_tokens_user_id" ON "share_tokens" USING btree ("user_id");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "playback_reports_reported_at";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "playback_reports_reported_at" ON "playback_reports" USING btree ("reported_at");--> statement-breakpoint
-- Rows that each rating rewrites find room on their page, and are cleaned up before they are a fifth of a large table.
ALTER TABLE "listener_stats" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);--> statement-breakpoint
ALTER TABLE "listener_genres" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);--> statement-breakpoint
ALTER TABLE "listener_hands" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);--> statement-breakpoint
ALTER TABLE "song_totals" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);--> statement-breakpoint
ALTER TABLE "song_days" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);--> statement-breakpoint
ALTER TABLE "microgenre_totals" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);--> statement-breakpoint
-- A queue that is nearly always empty.
ALTER TABLE "rating_changes" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
