ALTER TABLE "songs" ADD COLUMN "recording_mbid" text;--> statement-breakpoint
ALTER TABLE "songs" ADD COLUMN "isrc" text;--> statement-breakpoint
ALTER TABLE "songs" ADD COLUMN "release_mbid" text;--> statement-breakpoint
CREATE UNIQUE INDEX "songs_recording_mbid" ON "songs" USING btree ("recording_mbid") WHERE "songs"."recording_mbid" is not null;--> statement-breakpoint
CREATE INDEX "songs_isrc" ON "songs" USING btree ("isrc") WHERE "songs"."isrc" is not null;--> statement-breakpoint
ALTER TABLE "songs" ADD CONSTRAINT "songs_recording_mbid_shape" CHECK ("songs"."recording_mbid" ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$');--> statement-breakpoint
ALTER TABLE "songs" ADD CONSTRAINT "songs_isrc_shape" CHECK ("songs"."isrc" ~ '^[A-Z]{2}[A-Z0-9]{3}[0-9]{7}$');--> statement-breakpoint
ALTER TABLE "songs" ADD CONSTRAINT "songs_release_mbid_shape" CHECK ("songs"."release_mbid" ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$');