CREATE TABLE "song_candidates" (
	"microgenre_id" bigint NOT NULL,
	"recording_mbid" text NOT NULL,
	"tagged" text[] NOT NULL,
	"title" text,
	"artist" text,
	"artist_mbid" text,
	"length_ms" integer,
	"year" integer,
	"release_mbid" text,
	"looked_up_at" timestamp with time zone,
	"score" integer,
	"refusal" text,
	"detail" text,
	"song_id" bigint,
	"suggestion_id" bigint,
	CONSTRAINT "song_candidates_microgenre_id_recording_mbid_pk" PRIMARY KEY("microgenre_id","recording_mbid"),
	CONSTRAINT "song_candidates_tagged" CHECK ("song_candidates"."tagged" <@ array['recording', 'release-group', 'artist']),
	CONSTRAINT "song_candidates_outcome" CHECK (num_nonnulls("song_candidates"."refusal", "song_candidates"."song_id", "song_candidates"."suggestion_id") <= 1)
);
--> statement-breakpoint
ALTER TABLE "suggestions" ADD COLUMN "found_score" integer;