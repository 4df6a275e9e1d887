CREATE TABLE "song_traits" (
	"song_id" bigint NOT NULL,
	"run" integer NOT NULL,
	"share" real NOT NULL,
	"t1" real NOT NULL,
	"t2" real NOT NULL,
	"t3" real NOT NULL,
	"t4" real NOT NULL,
	CONSTRAINT "song_traits_song_id_run_pk" PRIMARY KEY("song_id","run"),
	CONSTRAINT "song_traits_bounded" CHECK ("song_traits"."share" between 0 and 1 and greatest(abs("song_traits"."t1"), abs("song_traits"."t2"), abs("song_traits"."t3"), abs("song_traits"."t4")) <= 4)
);
--> statement-breakpoint
CREATE TABLE "taste_runs" (
	"run" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "taste_runs_run_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"outcome" text,
	"ratings" integer,
	"listeners" integer,
	"loss" real,
	"last_loss" real,
	"plain_loss" real
);
--> statement-breakpoint
ALTER TABLE "listener_stats" ADD COLUMN "taste_run" integer;--> statement-breakpoint
ALTER TABLE "listener_stats" ADD COLUMN "t1" real DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "listener_stats" ADD COLUMN "t2" real DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "listener_stats" ADD COLUMN "t3" real DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "listener_stats" ADD COLUMN "t4" real DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "listener_stats" ADD COLUMN "lenience" real DEFAULT 0 NOT NULL;