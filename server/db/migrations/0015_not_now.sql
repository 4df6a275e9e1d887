CREATE TABLE "not_now" (
	"user_id" bigint NOT NULL,
	"microgenre_id" bigint NOT NULL,
	"song_id" bigint NOT NULL,
	"pass" integer NOT NULL,
	"put_off_at" timestamp with time zone NOT NULL,
	"let_go_at" timestamp with time zone,
	CONSTRAINT "not_now_user_id_microgenre_id_song_id_pk" PRIMARY KEY("user_id","microgenre_id","song_id")
);
--> statement-breakpoint
ALTER TABLE "rating_changes" ADD COLUMN "old_heard" boolean;--> statement-breakpoint
ALTER TABLE "rating_changes" ADD COLUMN "new_heard" boolean;--> statement-breakpoint
ALTER TABLE "ratings" ADD COLUMN "heard_seconds" real;--> statement-breakpoint
ALTER TABLE "ratings" ADD COLUMN "heard_source" text;--> statement-breakpoint
ALTER TABLE "ratings" ADD COLUMN "previous_heard_seconds" real;--> statement-breakpoint
ALTER TABLE "ratings" ADD COLUMN "previous_heard_source" text;--> statement-breakpoint
ALTER TABLE "song_totals" ADD COLUMN "heard_ratings" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "song_totals" ADD COLUMN "heard_bangers" integer DEFAULT 0 NOT NULL;