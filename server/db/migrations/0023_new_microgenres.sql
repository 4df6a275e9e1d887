CREATE TABLE "found_microgenre_songs" (
	"genre_key" text NOT NULL,
	"recording_mbid" text NOT NULL,
	"near_id" bigint NOT NULL,
	"song_key" text NOT NULL,
	"title" text NOT NULL,
	"artist" text NOT NULL,
	"artist_mbid" text NOT NULL,
	"length_ms" integer,
	"year" integer,
	"release_mbid" text,
	CONSTRAINT "found_microgenre_songs_genre_key_recording_mbid_pk" PRIMARY KEY("genre_key","recording_mbid")
);
--> statement-breakpoint
CREATE TABLE "found_microgenres" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "found_microgenres_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"genre_key" text NOT NULL,
	"name" text NOT NULL,
	"family" text NOT NULL,
	"near_id" bigint NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"microgenre_id" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "found_microgenres_genre_key_unique" UNIQUE("genre_key"),
	CONSTRAINT "found_microgenres_state" CHECK ("found_microgenres"."state" in ('waiting', 'approved', 'rejected')),
	CONSTRAINT "found_microgenres_microgenre" CHECK ("found_microgenres"."state" <> 'approved' or "found_microgenres"."microgenre_id" is not null)
);
--> statement-breakpoint
ALTER TABLE "microgenres" ADD COLUMN "retired_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "found_microgenres_waiting" ON "found_microgenres" USING btree ("id") WHERE "found_microgenres"."state" = 'waiting';