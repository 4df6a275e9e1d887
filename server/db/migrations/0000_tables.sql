CREATE TABLE "microgenres" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "microgenres_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"key" text NOT NULL,
	"name" text NOT NULL,
	"family" text NOT NULL,
	"description" text NOT NULL,
	"color" text NOT NULL,
	"energy" text[] NOT NULL,
	"vocals" text[] NOT NULL,
	"familiarity" text[] NOT NULL,
	"mood" text[] NOT NULL,
	"song_count" integer DEFAULT 0 NOT NULL,
	"live_song_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "microgenres_key_unique" UNIQUE("key"),
	CONSTRAINT "microgenres_name_unique" UNIQUE("name"),
	CONSTRAINT "microgenres_color_is_hex" CHECK ("microgenres"."color" ~ '^#[0-9a-f]{6}$'),
	CONSTRAINT "microgenres_counts" CHECK ("microgenres"."live_song_count" between 0 and "microgenres"."song_count")
);
--> statement-breakpoint
CREATE TABLE "songs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "songs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"key" text NOT NULL,
	"source" text DEFAULT 'starter' NOT NULL,
	"microgenre_id" bigint NOT NULL,
	"seq" integer NOT NULL,
	"title" text NOT NULL,
	"artist" text NOT NULL,
	"year" integer,
	"album_art" text,
	"youtube_id" text,
	"spotify_id" text,
	"deezer_track_id" text,
	"preview_url" text,
	"preview_expires_at" timestamp with time zone,
	"duration_ms" integer,
	"retired_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "songs_key_unique" UNIQUE("key"),
	CONSTRAINT "songs_microgenre_id_seq" UNIQUE("microgenre_id","seq"),
	CONSTRAINT "songs_source" CHECK ("songs"."source" in ('starter', 'import')),
	CONSTRAINT "songs_seq_from_zero" CHECK ("songs"."seq" >= 0),
	CONSTRAINT "songs_youtube_id_shape" CHECK ("songs"."youtube_id" ~ '^[A-Za-z0-9_-]{11}$'),
	CONSTRAINT "songs_spotify_id_shape" CHECK ("songs"."spotify_id" ~ '^[A-Za-z0-9]{22}$')
);
--> statement-breakpoint
CREATE TABLE "collection_items" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "collection_items_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"collection_id" bigint NOT NULL,
	"microgenre_id" bigint NOT NULL,
	"added_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "collection_items_collection_id_microgenre_id" UNIQUE("collection_id","microgenre_id")
);
--> statement-breakpoint
CREATE TABLE "collections" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "collections_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"is_public" boolean DEFAULT true NOT NULL,
	"view_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "collections_name" CHECK (char_length(btrim("collections"."name")) between 1 and 100),
	CONSTRAINT "collections_description" CHECK (char_length("collections"."description") <= 500)
);
--> statement-breakpoint
CREATE TABLE "feedback" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "feedback_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint,
	"email" text NOT NULL,
	"message" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"mailed_at" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "feedback_message_length" CHECK (char_length("feedback"."message") between 1 and 5000)
);
--> statement-breakpoint
CREATE TABLE "follows" (
	"follower_id" bigint NOT NULL,
	"followed_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "follows_follower_id_followed_id_pk" PRIMARY KEY("follower_id","followed_id"),
	CONSTRAINT "follows_not_oneself" CHECK ("follows"."follower_id" <> "follows"."followed_id")
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"provider" text NOT NULL,
	"subject" text NOT NULL,
	"user_id" bigint NOT NULL,
	"claimed_email" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "identities_provider_subject_pk" PRIMARY KEY("provider","subject")
);
--> statement-breakpoint
CREATE TABLE "preferences" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"energy_preference" text NOT NULL,
	"vocal_preference" text NOT NULL,
	"familiarity_level" text NOT NULL,
	"music_mood" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "preferences_energy" CHECK ("preferences"."energy_preference" in ('slow', 'fast', 'weird', 'mixed')),
	CONSTRAINT "preferences_vocal" CHECK ("preferences"."vocal_preference" in ('vocal', 'instrumental', 'both')),
	CONSTRAINT "preferences_familiarity" CHECK ("preferences"."familiarity_level" in ('mainstream', 'indie', 'obscure')),
	CONSTRAINT "preferences_mood" CHECK ("preferences"."music_mood" in ('ambient', 'emotional', 'rhythmic', 'experimental'))
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "sessions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"user_agent" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "sessions_id_unique" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "share_tokens" (
	"token" text PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"target_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "share_tokens_kind_target_id" UNIQUE("kind","target_id"),
	CONSTRAINT "share_tokens_kind" CHECK ("share_tokens"."kind" in ('collection', 'achievement'))
);
--> statement-breakpoint
CREATE TABLE "sign_in_tokens" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"browser_hash" "bytea",
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "sign_in_tokens_email_is_lower" CHECK ("sign_in_tokens"."email" = lower("sign_in_tokens"."email"))
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"key" text PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"purpose" text NOT NULL,
	"file_name" text,
	"content_type" text,
	"size" bigint,
	"upload_id" text,
	"completed_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "uploads_purpose" CHECK ("uploads"."purpose" in ('profile-photo', 'file'))
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"email" text,
	"first_name" text,
	"last_name" text,
	"profile_image_url" text,
	"bio" text,
	"is_public" boolean DEFAULT false NOT NULL,
	"show_email" boolean DEFAULT false NOT NULL,
	"email_opt_out" boolean DEFAULT false NOT NULL,
	"follower_count" integer DEFAULT 0 NOT NULL,
	"following_count" integer DEFAULT 0 NOT NULL,
	"suspended_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email"),
	CONSTRAINT "users_email_is_lower" CHECK ("users"."email" = lower("users"."email")),
	CONSTRAINT "users_bio_length" CHECK (char_length("users"."bio") <= 280),
	CONSTRAINT "users_follow_counts" CHECK ("users"."follower_count" >= 0 and "users"."following_count" >= 0)
);
--> statement-breakpoint
CREATE TABLE "achievements" (
	"user_id" bigint NOT NULL,
	"type" text NOT NULL,
	"scope" bigint DEFAULT '0' NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "achievements_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"announced_at" timestamp with time zone,
	CONSTRAINT "achievements_user_id_type_scope_pk" PRIMARY KEY("user_id","type","scope")
);
--> statement-breakpoint
CREATE TABLE "listener_genres" (
	"user_id" bigint NOT NULL,
	"microgenre_id" bigint NOT NULL,
	"ratings" integer DEFAULT 0 NOT NULL,
	"bangers" integer DEFAULT 0 NOT NULL,
	"pass" integer DEFAULT 1 NOT NULL,
	"pass_seed" integer NOT NULL,
	"pass_size" integer NOT NULL,
	"pass_position" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "listener_genres_user_id_microgenre_id_pk" PRIMARY KEY("user_id","microgenre_id"),
	CONSTRAINT "listener_genres_counts" CHECK ("listener_genres"."bangers" between 0 and "listener_genres"."ratings")
);
--> statement-breakpoint
CREATE TABLE "listener_stats" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"total_ratings" integer DEFAULT 0 NOT NULL,
	"total_bangers" integer DEFAULT 0 NOT NULL,
	"streak" integer DEFAULT 0 NOT NULL,
	"genres_rated" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "listener_stats_counts" CHECK ("listener_stats"."total_bangers" between 0 and "listener_stats"."total_ratings" and "listener_stats"."streak" >= 0 and "listener_stats"."genres_rated" >= 0)
);
--> statement-breakpoint
CREATE TABLE "listening_progress" (
	"user_id" bigint NOT NULL,
	"song_id" bigint NOT NULL,
	"seconds_listened" real NOT NULL,
	"total_duration" real NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "listening_progress_user_id_song_id_pk" PRIMARY KEY("user_id","song_id"),
	CONSTRAINT "listening_progress_seconds" CHECK ("listening_progress"."seconds_listened" > 0 and "listening_progress"."total_duration" > 0 and "listening_progress"."seconds_listened" <= "listening_progress"."total_duration")
);
--> statement-breakpoint
CREATE TABLE "rating_changes" (
	"user_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "rating_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"song_id" bigint NOT NULL,
	"microgenre_id" bigint NOT NULL,
	"old_banger" boolean,
	"old_rated_at" timestamp with time zone,
	"new_banger" boolean,
	"new_rated_at" timestamp with time zone,
	CONSTRAINT "rating_changes_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "ratings" (
	"user_id" bigint NOT NULL,
	"song_id" bigint NOT NULL,
	"microgenre_id" bigint NOT NULL,
	"banger" boolean NOT NULL,
	"pass" integer NOT NULL,
	"rated_at" timestamp with time zone NOT NULL,
	"previous_banger" boolean,
	"previous_pass" integer,
	"previous_rated_at" timestamp with time zone,
	CONSTRAINT "ratings_user_id_song_id_pk" PRIMARY KEY("user_id","song_id"),
	CONSTRAINT "ratings_previous_is_whole" CHECK (num_nulls("ratings"."previous_banger", "ratings"."previous_pass", "ratings"."previous_rated_at") in (0, 3))
);
--> statement-breakpoint
CREATE TABLE "playback_reports" (
	"song_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"outcome" text NOT NULL,
	"reported_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "playback_reports_song_id_user_id_pk" PRIMARY KEY("song_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "provider_cache" (
	"provider" text NOT NULL,
	"key" text NOT NULL,
	"value" jsonb NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "provider_cache_provider_key_pk" PRIMARY KEY("provider","key")
);
--> statement-breakpoint
CREATE TABLE "provider_quotas" (
	"provider" text NOT NULL,
	"day" date NOT NULL,
	"used" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "provider_quotas_provider_day_pk" PRIMARY KEY("provider","day")
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "achievement_rules" (
	"type" text PRIMARY KEY NOT NULL,
	"counter" text NOT NULL,
	"threshold" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "community_totals" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"ratings" bigint DEFAULT '0' NOT NULL,
	"bangers" bigint DEFAULT '0' NOT NULL,
	"active_users" integer DEFAULT 0 NOT NULL,
	"day" date NOT NULL
);
--> statement-breakpoint
CREATE TABLE "listener_last_days" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"day" date NOT NULL
);
--> statement-breakpoint
CREATE TABLE "microgenre_totals" (
	"microgenre_id" bigint PRIMARY KEY NOT NULL,
	"ratings" integer DEFAULT 0 NOT NULL,
	"bangers" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "song_days" (
	"song_id" bigint NOT NULL,
	"day" date NOT NULL,
	"ratings" integer DEFAULT 0 NOT NULL,
	"bangers" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "song_days_day_song_id_pk" PRIMARY KEY("day","song_id")
);
--> statement-breakpoint
CREATE TABLE "song_totals" (
	"song_id" bigint PRIMARY KEY NOT NULL,
	"ratings" integer DEFAULT 0 NOT NULL,
	"bangers" integer DEFAULT 0 NOT NULL,
	"recent_bangers" integer DEFAULT 0 NOT NULL,
	"last_banger_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "songs" ADD CONSTRAINT "songs_microgenre_id_microgenres_id_fk" FOREIGN KEY ("microgenre_id") REFERENCES "public"."microgenres"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collection_items" ADD CONSTRAINT "collection_items_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collections" ADD CONSTRAINT "collections_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_follower_id_users_id_fk" FOREIGN KEY ("follower_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_followed_id_users_id_fk" FOREIGN KEY ("followed_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "preferences" ADD CONSTRAINT "preferences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "share_tokens" ADD CONSTRAINT "share_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "songs_youtube_id" ON "songs" USING btree ("youtube_id") WHERE "songs"."youtube_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "songs_spotify_id" ON "songs" USING btree ("spotify_id") WHERE "songs"."spotify_id" is not null;--> statement-breakpoint
CREATE INDEX "collections_user_id" ON "collections" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "feedback_unsent" ON "feedback" USING btree ("next_attempt_at") WHERE "feedback"."mailed_at" is null;--> statement-breakpoint
CREATE INDEX "follows_followed_id" ON "follows" USING btree ("followed_id");--> statement-breakpoint
CREATE INDEX "identities_user_id" ON "identities" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_user_id" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expires_at" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_tokens_email" ON "sign_in_tokens" USING btree ("email");--> statement-breakpoint
CREATE INDEX "sign_in_tokens_expires_at" ON "sign_in_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "uploads_user_id" ON "uploads" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "uploads_expires_at" ON "uploads" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "users_public" ON "users" USING btree ("id") WHERE "users"."is_public";--> statement-breakpoint
CREATE INDEX "achievements_user_id_id" ON "achievements" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "achievements_unannounced" ON "achievements" USING btree ("user_id") WHERE "achievements"."announced_at" is null;--> statement-breakpoint
CREATE INDEX "rating_changes_id" ON "rating_changes" USING btree ("id");--> statement-breakpoint
CREATE INDEX "ratings_user_id_rated_at" ON "ratings" USING btree ("user_id","rated_at");--> statement-breakpoint
CREATE INDEX "playback_reports_user_id" ON "playback_reports" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "provider_cache_expires_at" ON "provider_cache" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "rate_limits_expires_at" ON "rate_limits" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "song_totals_trending" ON "song_totals" USING btree ("recent_bangers","bangers","last_banger_at") WHERE "song_totals"."bangers" > 0;