ALTER TABLE "songs" ADD COLUMN "blocked_video_id" text;--> statement-breakpoint
ALTER TABLE "playback_reports" ADD COLUMN "video_id" text;--> statement-breakpoint
ALTER TABLE "playback_reports" ADD COLUMN "preview_used" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "songs_blocked_video" ON "songs" USING btree ("id") WHERE "songs"."blocked_video_id" is not null;--> statement-breakpoint
CREATE INDEX "playback_reports_song_id_reported_at" ON "playback_reports" USING btree ("song_id","reported_at");--> statement-breakpoint
CREATE INDEX "playback_reports_errors" ON "playback_reports" USING btree ("song_id") WHERE "playback_reports"."outcome" not in ('ready', 'preview');