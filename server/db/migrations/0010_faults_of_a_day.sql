DROP INDEX "playback_reports_user_id";--> statement-breakpoint
CREATE INDEX "playback_reports_user_id_reported_at" ON "playback_reports" USING btree ("user_id","reported_at");