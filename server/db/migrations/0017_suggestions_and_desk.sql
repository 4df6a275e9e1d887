CREATE TABLE "decisions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "decisions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"steward_id" bigint,
	"subject" text NOT NULL,
	"subject_id" bigint,
	"label" text NOT NULL,
	"action" text NOT NULL,
	"reason" text,
	"song_id" bigint,
	"changes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"kept" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"stands" boolean DEFAULT true NOT NULL,
	"undoes" bigint,
	"base" bigint,
	"batch" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "decisions_undo" CHECK (num_nulls("decisions"."undoes", "decisions"."base") in (0, 2)),
	CONSTRAINT "decisions_undo_action" CHECK (("decisions"."action" = 'undo') = ("decisions"."undoes" is not null))
);
--> statement-breakpoint
CREATE TABLE "reports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"subject" text NOT NULL,
	"subject_id" bigint NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"withdrawn_at" timestamp with time zone,
	"closed_by" bigint,
	CONSTRAINT "reports_subject" CHECK ("reports"."subject" in ('song', 'person', 'bio', 'photo', 'collection'))
);
--> statement-breakpoint
CREATE TABLE "suggestion_votes" (
	"suggestion_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"withdrawn_at" timestamp with time zone,
	CONSTRAINT "suggestion_votes_suggestion_id_user_id_pk" PRIMARY KEY("suggestion_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "suggestions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "suggestions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"song_key" text NOT NULL,
	"title" text NOT NULL,
	"artist" text NOT NULL,
	"year" integer,
	"microgenre_id" bigint NOT NULL,
	"address" text,
	"service" text,
	"youtube_id" text,
	"spotify_id" text,
	"deezer_track_id" text,
	"recording_mbid" text,
	"state" text DEFAULT 'waiting' NOT NULL,
	"reason" text,
	"song_id" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"decided_at" timestamp with time zone,
	CONSTRAINT "suggestions_state" CHECK ("suggestions"."state" in ('waiting', 'approved', 'merged', 'rejected', 'withdrawn')),
	CONSTRAINT "suggestions_song" CHECK (("suggestions"."song_id" is not null) = ("suggestions"."state" in ('approved', 'merged'))),
	CONSTRAINT "suggestions_texts" CHECK (char_length("suggestions"."title") <= 200 and char_length("suggestions"."artist") <= 200)
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "is_steward" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_steward_id_users_id_fk" FOREIGN KEY ("steward_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_undoes_decisions_id_fk" FOREIGN KEY ("undoes") REFERENCES "public"."decisions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_base_decisions_id_fk" FOREIGN KEY ("base") REFERENCES "public"."decisions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_closed_by_decisions_id_fk" FOREIGN KEY ("closed_by") REFERENCES "public"."decisions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suggestion_votes" ADD CONSTRAINT "suggestion_votes_suggestion_id_suggestions_id_fk" FOREIGN KEY ("suggestion_id") REFERENCES "public"."suggestions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suggestion_votes" ADD CONSTRAINT "suggestion_votes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "decisions_undoes" ON "decisions" USING btree ("undoes");--> statement-breakpoint
CREATE INDEX "decisions_steward_id" ON "decisions" USING btree ("steward_id");--> statement-breakpoint
CREATE INDEX "decisions_subject" ON "decisions" USING btree ("subject","subject_id","id");--> statement-breakpoint
CREATE INDEX "decisions_batch" ON "decisions" USING btree ("batch") WHERE "decisions"."batch" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "reports_open" ON "reports" USING btree ("subject","subject_id","user_id","reason") WHERE "reports"."closed_by" is null and "reports"."withdrawn_at" is null;--> statement-breakpoint
CREATE INDEX "reports_user_id" ON "reports" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "reports_closed_by" ON "reports" USING btree ("closed_by") WHERE "reports"."closed_by" is not null;--> statement-breakpoint
CREATE INDEX "suggestion_votes_user_id" ON "suggestion_votes" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "suggestions_open_key" ON "suggestions" USING btree ("song_key") WHERE "suggestions"."state" = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "suggestions_open_youtube" ON "suggestions" USING btree ("youtube_id") WHERE "suggestions"."state" = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "suggestions_open_spotify" ON "suggestions" USING btree ("spotify_id") WHERE "suggestions"."state" = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "suggestions_open_deezer" ON "suggestions" USING btree ("deezer_track_id") WHERE "suggestions"."state" = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "suggestions_open_recording" ON "suggestions" USING btree ("recording_mbid") WHERE "suggestions"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "suggestions_waiting" ON "suggestions" USING btree ("id") WHERE "suggestions"."state" = 'waiting';