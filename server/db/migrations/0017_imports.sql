CREATE TABLE "import_songs" (
	"import_id" bigint NOT NULL,
	"place" integer NOT NULL,
	"heap" text DEFAULT 'unknown' NOT NULL,
	"key" text NOT NULL,
	"title" text NOT NULL,
	"artist" text NOT NULL,
	"isrc" text,
	"recording_mbid" text,
	"spotify_id" text,
	"youtube_id" text,
	"microgenre" text,
	"verdict" boolean,
	"rated_at" timestamp with time zone,
	"plays" integer DEFAULT 0 NOT NULL,
	"song_id" bigint,
	"is_same" boolean,
	CONSTRAINT "import_songs_import_id_place_pk" PRIMARY KEY("import_id","place"),
	CONSTRAINT "import_songs_import_id_key" UNIQUE("import_id","key"),
	CONSTRAINT "import_songs_heap" CHECK ("import_songs"."heap" in ('known', 'doubtful', 'unknown'))
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "imports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"upload_key" text,
	"file_name" text,
	"columns" text,
	"sources" text[] DEFAULT '{}' NOT NULL,
	"status" text DEFAULT 'waiting' NOT NULL,
	"error" text,
	"header" text[],
	"bytes_read" bigint DEFAULT 0 NOT NULL,
	"bytes_total" bigint DEFAULT 0 NOT NULL,
	"rows_read" integer DEFAULT 0 NOT NULL,
	"left_out" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"collections" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"choices" jsonb,
	"applied_place" integer DEFAULT 0 NOT NULL,
	"achievements" bigint[] DEFAULT '{}' NOT NULL,
	"began_taste" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"applied_at" timestamp with time zone,
	CONSTRAINT "imports_status" CHECK ("imports"."status" in ('waiting', 'reading', 'ready', 'applying', 'applied', 'reverting', 'failed', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "known_songs" (
	"user_id" bigint NOT NULL,
	"import_id" bigint NOT NULL,
	"song_id" bigint NOT NULL,
	"microgenre_id" bigint NOT NULL,
	"plays" integer NOT NULL,
	CONSTRAINT "known_songs_user_id_import_id_song_id_pk" PRIMARY KEY("user_id","import_id","song_id")
);
--> statement-breakpoint
ALTER TABLE "uploads" DROP CONSTRAINT "uploads_purpose";--> statement-breakpoint
ALTER TABLE "ratings" ADD COLUMN "import_id" bigint;--> statement-breakpoint
ALTER TABLE "import_songs" ADD CONSTRAINT "import_songs_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "imports_user_id" ON "imports" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "imports_to_do" ON "imports" USING btree ("updated_at") WHERE "imports"."status" in ('waiting', 'reading', 'applying', 'reverting');--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_purpose" CHECK ("uploads"."purpose" in ('profile-photo', 'file', 'import'));