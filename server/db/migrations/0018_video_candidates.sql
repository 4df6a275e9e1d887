CREATE TABLE "video_candidates" (
	"song_id" bigint NOT NULL,
	"video_id" text NOT NULL,
	"source" text NOT NULL,
	"score" integer NOT NULL,
	"refusal" text,
	"detail" text,
	"title" text,
	"channel" text,
	"duration_ms" integer,
	"judged_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "video_candidates_song_id_video_id_pk" PRIMARY KEY("song_id","video_id"),
	CONSTRAINT "video_candidates_source" CHECK ("video_candidates"."source" in ('musicbrainz', 'wikidata', 'youtube')),
	CONSTRAINT "video_candidates_score" CHECK ("video_candidates"."score" between 0 and 100)
);
