CREATE TABLE "listener_hands" (
	"user_id" bigint NOT NULL,
	"microgenre_id" bigint NOT NULL,
	"pass" integer NOT NULL,
	"dealt" integer NOT NULL,
	"songs" bigint[] NOT NULL,
	CONSTRAINT "listener_hands_user_id_microgenre_id_pk" PRIMARY KEY("user_id","microgenre_id")
);
--> statement-breakpoint
ALTER TABLE "listener_genres" ADD COLUMN "ahead" bigint[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "listener_genres" ADD COLUMN "ahead_numbers" double precision[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "listener_genres" ADD COLUMN "ahead_reasons" smallint[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "not_now" ADD COLUMN "dealt_number" double precision;--> statement-breakpoint
ALTER TABLE "not_now" ADD COLUMN "dealt_reason" smallint;--> statement-breakpoint
ALTER TABLE "rating_changes" ADD COLUMN "old_dealt" boolean;--> statement-breakpoint
ALTER TABLE "rating_changes" ADD COLUMN "new_dealt" boolean;--> statement-breakpoint
ALTER TABLE "ratings" ADD COLUMN "dealt_number" double precision;--> statement-breakpoint
ALTER TABLE "ratings" ADD COLUMN "dealt_reason" smallint;--> statement-breakpoint
ALTER TABLE "ratings" ADD COLUMN "previous_dealt_reason" smallint;--> statement-breakpoint
ALTER TABLE "microgenre_totals" ADD COLUMN "dealt_ratings" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "microgenre_totals" ADD COLUMN "dealt_bangers" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "song_totals" ADD COLUMN "dealt_ratings" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "song_totals" ADD COLUMN "dealt_bangers" integer DEFAULT 0 NOT NULL;