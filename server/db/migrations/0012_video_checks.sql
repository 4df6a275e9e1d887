ALTER TABLE "songs" ADD COLUMN "checked_video_id" text;--> statement-breakpoint
ALTER TABLE "songs" ADD COLUMN "checked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "video_candidates" DROP CONSTRAINT "video_candidates_source";--> statement-breakpoint
ALTER TABLE "video_candidates" ADD CONSTRAINT "video_candidates_source" CHECK ("video_candidates"."source" in ('catalogue', 'musicbrainz', 'wikidata', 'discogs', 'youtube'));
