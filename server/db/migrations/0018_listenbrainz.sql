CREATE TABLE "listenbrainz_links" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"user_name" text NOT NULL,
	"token" text NOT NULL,
	"sends_busts" boolean DEFAULT false NOT NULL,
	"refused_at" timestamp with time zone,
	"compared_at" timestamp with time zone,
	"next_at" timestamp with time zone DEFAULT now() NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "listenbrainz_sent" (
	"user_id" bigint NOT NULL,
	"recording_mbid" text NOT NULL,
	"score" smallint NOT NULL,
	CONSTRAINT "listenbrainz_sent_user_id_recording_mbid_pk" PRIMARY KEY("user_id","recording_mbid"),
	CONSTRAINT "listenbrainz_sent_score" CHECK ("listenbrainz_sent"."score" in (-1, 1))
);
--> statement-breakpoint
ALTER TABLE "listenbrainz_links" ADD CONSTRAINT "listenbrainz_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listenbrainz_sent" ADD CONSTRAINT "listenbrainz_sent_user_id_listenbrainz_links_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."listenbrainz_links"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "listenbrainz_links_next" ON "listenbrainz_links" USING btree ("next_at") WHERE "listenbrainz_links"."refused_at" is null;