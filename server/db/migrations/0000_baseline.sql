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

CREATE TABLE "found_microgenres" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
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

CREATE TABLE "microgenres" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
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
	"retired_at" timestamp with time zone,
	CONSTRAINT "microgenres_key_unique" UNIQUE("key"),
	CONSTRAINT "microgenres_name_unique" UNIQUE("name"),
	CONSTRAINT "microgenres_color_is_hex" CHECK ("microgenres"."color" ~ '^#[0-9a-f]{6}$'),
	CONSTRAINT "microgenres_counts" CHECK ("microgenres"."live_song_count" between 0 and "microgenres"."song_count")
);

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

CREATE TABLE "songs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
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
	"blocked_video_id" text,
	"recording_mbid" text,
	"isrc" text,
	"release_mbid" text,
	"search_text" text GENERATED ALWAYS AS (translate(lower(title || ' ' || artist), 'àáâãäåçèéêëìíîïñòóôõöùúûüýÿÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝ 	''’‘`´"“”.,;:!?()[]{}/\&+-–—_*#…%', 'aaaaaaceeeeiiiinooooouuuuyyaaaaaaceeeeiiiinooooouuuuy')) STORED NOT NULL,
	"plain_title" text GENERATED ALWAYS AS (replace(replace(translate(lower(split_part(split_part(split_part(split_part(
          lower(title), ' - ', 1), ' (', 1), ' feat', 1), ' ft', 1)), 'àáâãäåçèéêëìíîïñòóôõöùúûüýÿÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝ 	''’‘`´"“”.,;:!?()[]{}/\&+-–—_*#…%', 'aaaaaaceeeeiiiinooooouuuuyyaaaaaaceeeeiiiinooooouuuuy'), 'and', ''), 'the', '')) STORED NOT NULL,
	CONSTRAINT "songs_key_unique" UNIQUE("key"),
	CONSTRAINT "songs_microgenre_id_seq" UNIQUE("microgenre_id","seq"),
	CONSTRAINT "songs_source" CHECK ("songs"."source" in ('starter', 'import')),
	CONSTRAINT "songs_seq_from_zero" CHECK ("songs"."seq" >= 0),
	CONSTRAINT "songs_youtube_id_shape" CHECK ("songs"."youtube_id" ~ '^[A-Za-z0-9_-]{11}$'),
	CONSTRAINT "songs_spotify_id_shape" CHECK ("songs"."spotify_id" ~ '^[A-Za-z0-9]{22}$'),
	CONSTRAINT "songs_recording_mbid_shape" CHECK ("songs"."recording_mbid" ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
	CONSTRAINT "songs_isrc_shape" CHECK ("songs"."isrc" ~ '^[A-Z]{2}[A-Z0-9]{3}[0-9]{7}$'),
	CONSTRAINT "songs_release_mbid_shape" CHECK ("songs"."release_mbid" ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')
);

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
	"id" bigint GENERATED ALWAYS AS IDENTITY,
	CONSTRAINT "video_candidates_song_id_video_id_pk" PRIMARY KEY("song_id","video_id"),
	CONSTRAINT "video_candidates_source" CHECK ("video_candidates"."source" in ('musicbrainz', 'wikidata', 'youtube')),
	CONSTRAINT "video_candidates_score" CHECK ("video_candidates"."score" between 0 and 100)
);

CREATE TABLE "decisions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
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

CREATE TABLE "reports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
	"user_id" bigint NOT NULL,
	"subject" text NOT NULL,
	"subject_id" bigint NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"withdrawn_at" timestamp with time zone,
	"closed_by" bigint,
	CONSTRAINT "reports_subject" CHECK ("reports"."subject" in ('song', 'person', 'bio', 'photo', 'collection'))
);

CREATE TABLE "suggestion_votes" (
	"suggestion_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"withdrawn_at" timestamp with time zone,
	CONSTRAINT "suggestion_votes_suggestion_id_user_id_pk" PRIMARY KEY("suggestion_id","user_id")
);

CREATE TABLE "suggestions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
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
	"found_score" integer,
	CONSTRAINT "suggestions_state" CHECK ("suggestions"."state" in ('waiting', 'approved', 'merged', 'rejected', 'withdrawn')),
	CONSTRAINT "suggestions_song" CHECK (("suggestions"."song_id" is not null) = ("suggestions"."state" in ('approved', 'merged'))),
	CONSTRAINT "suggestions_texts" CHECK (char_length("suggestions"."title") <= 200 and char_length("suggestions"."artist") <= 200)
);

CREATE TABLE "collection_items" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
	"collection_id" bigint NOT NULL,
	"microgenre_id" bigint NOT NULL,
	"added_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "collection_items_collection_id_microgenre_id" UNIQUE("collection_id","microgenre_id")
);

CREATE TABLE "collections" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
	"user_id" bigint NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"is_public" boolean DEFAULT true NOT NULL,
	"view_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "collections_name" CHECK (char_length(btrim("collections"."name")) between 1 and 100),
	CONSTRAINT "collections_description" CHECK (char_length("collections"."description") <= 500)
);

CREATE TABLE "feedback" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
	"user_id" bigint,
	"email" text NOT NULL,
	"message" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"mailed_at" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "feedback_message_length" CHECK (char_length("feedback"."message") between 1 and 5000)
);

CREATE TABLE "follows" (
	"follower_id" bigint NOT NULL,
	"followed_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "follows_follower_id_followed_id_pk" PRIMARY KEY("follower_id","followed_id"),
	CONSTRAINT "follows_not_oneself" CHECK ("follows"."follower_id" <> "follows"."followed_id")
);

CREATE TABLE "identities" (
	"provider" text NOT NULL,
	"subject" text NOT NULL,
	"user_id" bigint NOT NULL,
	"claimed_email" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "identities_provider_subject_pk" PRIMARY KEY("provider","subject")
);

CREATE TABLE "invitations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
	"token_hash" "bytea" NOT NULL,
	"note" text,
	"max_uses" integer NOT NULL,
	"uses" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "invitations_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "invitations_uses" CHECK ("invitations"."uses" between 0 and "invitations"."max_uses"),
	CONSTRAINT "invitations_note" CHECK (char_length("invitations"."note") <= 100)
);

CREATE TABLE "passkeys" (
	"credential_id" "bytea" PRIMARY KEY NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY,
	"user_id" bigint NOT NULL,
	"user_handle" "bytea" NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "passkeys_id_unique" UNIQUE("id"),
	CONSTRAINT "passkeys_name" CHECK (char_length("passkeys"."name") between 1 and 60)
);

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

CREATE TABLE "provider_pictures" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "sessions" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY,
	"user_id" bigint NOT NULL,
	"user_agent" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "sessions_id_unique" UNIQUE("id")
);

CREATE TABLE "share_tokens" (
	"token" text PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"target_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "share_tokens_kind_target_id" UNIQUE("kind","target_id"),
	CONSTRAINT "share_tokens_kind" CHECK ("share_tokens"."kind" in ('collection', 'achievement'))
);

CREATE TABLE "sign_in_tokens" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"browser_hash" "bytea",
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"invitation_id" bigint,
	CONSTRAINT "sign_in_tokens_email_is_lower" CHECK ("sign_in_tokens"."email" = lower("sign_in_tokens"."email"))
);

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

CREATE TABLE "users" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
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
	"start_at_hook" boolean DEFAULT false NOT NULL,
	"is_steward" boolean DEFAULT false NOT NULL,
	"search_text" text GENERATED ALWAYS AS (case when is_public then lower(
        coalesce(first_name, '') || ' ' || coalesce(last_name, '') || chr(31) || coalesce(bio, '') || chr(31)
          || case when show_email then coalesce(email, '') else '' end) end) STORED,
	"invitation_id" bigint,
	CONSTRAINT "users_email_unique" UNIQUE("email"),
	CONSTRAINT "users_email_is_lower" CHECK ("users"."email" = lower("users"."email")),
	CONSTRAINT "users_bio_length" CHECK (char_length("users"."bio") <= 280),
	CONSTRAINT "users_follow_counts" CHECK ("users"."follower_count" >= 0 and "users"."following_count" >= 0)
);

CREATE TABLE "achievements" (
	"user_id" bigint NOT NULL,
	"type" text NOT NULL,
	"scope" bigint DEFAULT '0' NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"announced_at" timestamp with time zone,
	CONSTRAINT "achievements_user_id_type_scope_pk" PRIMARY KEY("user_id","type","scope")
);

CREATE TABLE "listener_genres" (
	"user_id" bigint NOT NULL,
	"microgenre_id" bigint NOT NULL,
	"ratings" integer DEFAULT 0 NOT NULL,
	"bangers" integer DEFAULT 0 NOT NULL,
	"pass" integer DEFAULT 1 NOT NULL,
	"pass_seed" integer NOT NULL,
	"pass_size" integer NOT NULL,
	"pass_position" integer DEFAULT 0 NOT NULL,
	"ahead" bigint[] DEFAULT '{}' NOT NULL,
	"ahead_numbers" double precision[] DEFAULT '{}' NOT NULL,
	"ahead_reasons" smallint[] DEFAULT '{}' NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "listener_genres_user_id_microgenre_id_pk" PRIMARY KEY("user_id","microgenre_id"),
	CONSTRAINT "listener_genres_counts" CHECK ("listener_genres"."bangers" between 0 and "listener_genres"."ratings"),
	CONSTRAINT "listener_genres_done" CHECK ("listener_genres"."done" >= 0)
);

CREATE TABLE "listener_hands" (
	"user_id" bigint NOT NULL,
	"microgenre_id" bigint NOT NULL,
	"pass" integer NOT NULL,
	"dealt" integer NOT NULL,
	"songs" bigint[] NOT NULL,
	CONSTRAINT "listener_hands_user_id_microgenre_id_pk" PRIMARY KEY("user_id","microgenre_id")
);

CREATE TABLE "listener_stats" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"total_ratings" integer DEFAULT 0 NOT NULL,
	"total_bangers" integer DEFAULT 0 NOT NULL,
	"streak" integer DEFAULT 0 NOT NULL,
	"genres_rated" integer DEFAULT 0 NOT NULL,
	"taste_run" integer,
	"t1" real DEFAULT 0 NOT NULL,
	"t2" real DEFAULT 0 NOT NULL,
	"t3" real DEFAULT 0 NOT NULL,
	"t4" real DEFAULT 0 NOT NULL,
	"lenience" real DEFAULT 0 NOT NULL,
	"song_choice" text DEFAULT 'both' NOT NULL,
	CONSTRAINT "listener_stats_choice" CHECK ("listener_stats"."song_choice" in ('liked', 'both', 'surprise', 'shuffle')),
	CONSTRAINT "listener_stats_counts" CHECK ("listener_stats"."total_bangers" between 0 and "listener_stats"."total_ratings" and "listener_stats"."streak" >= 0 and "listener_stats"."genres_rated" >= 0)
);

CREATE TABLE "listening_progress" (
	"user_id" bigint NOT NULL,
	"song_id" bigint NOT NULL,
	"seconds_listened" real NOT NULL,
	"total_duration" real NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "listening_progress_user_id_song_id_pk" PRIMARY KEY("user_id","song_id"),
	CONSTRAINT "listening_progress_seconds" CHECK ("listening_progress"."seconds_listened" > 0 and "listening_progress"."total_duration" > 0 and "listening_progress"."seconds_listened" <= "listening_progress"."total_duration")
);

CREATE TABLE "not_now" (
	"user_id" bigint NOT NULL,
	"microgenre_id" bigint NOT NULL,
	"song_id" bigint NOT NULL,
	"pass" integer NOT NULL,
	"put_off_at" timestamp with time zone NOT NULL,
	"let_go_at" timestamp with time zone,
	"dealt_number" double precision,
	"dealt_reason" smallint,
	CONSTRAINT "not_now_user_id_microgenre_id_song_id_pk" PRIMARY KEY("user_id","microgenre_id","song_id")
);

CREATE TABLE "rating_changes" (
	"user_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY,
	"song_id" bigint NOT NULL,
	"microgenre_id" bigint NOT NULL,
	"old_banger" boolean,
	"old_rated_at" timestamp with time zone,
	"new_banger" boolean,
	"new_rated_at" timestamp with time zone,
	"old_heard" boolean,
	"new_heard" boolean,
	"old_dealt" boolean,
	"new_dealt" boolean,
	CONSTRAINT "rating_changes_user_id_id_pk" PRIMARY KEY("user_id","id")
);

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
	"heard_seconds" real,
	"heard_source" text,
	"previous_heard_seconds" real,
	"previous_heard_source" text,
	"dealt_number" double precision,
	"dealt_reason" smallint,
	"previous_dealt_reason" smallint,
	CONSTRAINT "ratings_user_id_song_id_pk" PRIMARY KEY("user_id","song_id"),
	CONSTRAINT "ratings_previous_is_whole" CHECK (num_nulls("ratings"."previous_banger", "ratings"."previous_pass", "ratings"."previous_rated_at") in (0, 3))
);

CREATE TABLE "undone_ratings" (
	"user_id" bigint NOT NULL,
	"song_id" bigint NOT NULL,
	"undone_at" timestamp with time zone NOT NULL,
	CONSTRAINT "undone_ratings_user_id_song_id_pk" PRIMARY KEY("user_id","song_id")
);

CREATE TABLE "backups" (
	"run" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
	"scheduled" boolean NOT NULL,
	"machine" text NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"file" text NOT NULL,
	"bytes" bigint,
	"proven_at" timestamp with time zone,
	"trouble" text
);

CREATE TABLE "microgenre_growth" (
	"microgenre_id" bigint PRIMARY KEY NOT NULL,
	"next_at" timestamp with time zone NOT NULL
);

CREATE TABLE "playback_reports" (
	"song_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"outcome" text NOT NULL,
	"reported_at" timestamp with time zone DEFAULT now() NOT NULL,
	"video_id" text,
	"preview_used" boolean DEFAULT false NOT NULL,
	CONSTRAINT "playback_reports_song_id_user_id_pk" PRIMARY KEY("song_id","user_id")
);

CREATE TABLE "provider_cache" (
	"provider" text NOT NULL,
	"key" text NOT NULL,
	"value" jsonb NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "provider_cache_provider_key_pk" PRIMARY KEY("provider","key")
);

CREATE TABLE "provider_quotas" (
	"provider" text NOT NULL,
	"day" date NOT NULL,
	"used" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "provider_quotas_provider_day_pk" PRIMARY KEY("provider","day")
);

CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);

CREATE TABLE "service_turns" (
	"service" text PRIMARY KEY NOT NULL,
	"turns" timestamp with time zone[] NOT NULL,
	"held_until" timestamp with time zone
);

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

CREATE TABLE "taste_runs" (
	"run" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"outcome" text,
	"ratings" integer,
	"listeners" integer,
	"loss" real,
	"last_loss" real,
	"plain_loss" real
);

CREATE TABLE "achievement_rules" (
	"type" text PRIMARY KEY NOT NULL,
	"counter" text NOT NULL,
	"threshold" integer NOT NULL
);

CREATE TABLE "community_totals" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"ratings" bigint DEFAULT '0' NOT NULL,
	"bangers" bigint DEFAULT '0' NOT NULL,
	"active_users" integer DEFAULT 0 NOT NULL,
	"day" date NOT NULL,
	"songs_gone" bigint DEFAULT '9223372036854775807' NOT NULL,
	"listeners_gone" bigint DEFAULT '9223372036854775807' NOT NULL
);

CREATE TABLE "listener_last_days" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"day" date NOT NULL
);

CREATE TABLE "long_tail" (
	"microgenre_id" bigint PRIMARY KEY NOT NULL,
	"songs" integer NOT NULL,
	"plays" bigint NOT NULL,
	"half_plays" bigint NOT NULL,
	"little_heard" integer NOT NULL,
	"little_heard_new" integer NOT NULL,
	"never_heard" integer NOT NULL,
	"counted_at" timestamp with time zone NOT NULL,
	CONSTRAINT "long_tail_listeners" CHECK ("long_tail"."songs" > 1 and "long_tail"."plays" >= 5)
);

CREATE TABLE "microgenre_affinities" (
	"microgenre_id" bigint NOT NULL,
	"other_id" bigint NOT NULL,
	"listeners" integer NOT NULL,
	"affinity" real NOT NULL,
	CONSTRAINT "microgenre_affinities_microgenre_id_other_id_pk" PRIMARY KEY("microgenre_id","other_id"),
	CONSTRAINT "microgenre_affinities_listeners" CHECK ("microgenre_affinities"."listeners" >= 10)
);

CREATE TABLE "microgenre_places" (
	"microgenre_id" bigint PRIMARY KEY NOT NULL,
	"x" real NOT NULL,
	"y" real NOT NULL,
	"drawn_on" date NOT NULL
);

CREATE TABLE "microgenre_totals" (
	"microgenre_id" bigint PRIMARY KEY NOT NULL,
	"ratings" integer DEFAULT 0 NOT NULL,
	"bangers" integer DEFAULT 0 NOT NULL,
	"dealt_ratings" integer DEFAULT 0 NOT NULL,
	"dealt_bangers" integer DEFAULT 0 NOT NULL
);

CREATE TABLE "song_days" (
	"song_id" bigint NOT NULL,
	"day" date NOT NULL,
	"ratings" integer DEFAULT 0 NOT NULL,
	"bangers" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "song_days_day_song_id_pk" PRIMARY KEY("day","song_id")
);

CREATE TABLE "song_totals" (
	"song_id" bigint PRIMARY KEY NOT NULL,
	"ratings" integer DEFAULT 0 NOT NULL,
	"bangers" integer DEFAULT 0 NOT NULL,
	"recent_bangers" integer DEFAULT 0 NOT NULL,
	"last_banger_at" timestamp with time zone,
	"heard_ratings" integer DEFAULT 0 NOT NULL,
	"heard_bangers" integer DEFAULT 0 NOT NULL,
	"dealt_ratings" integer DEFAULT 0 NOT NULL,
	"dealt_bangers" integer DEFAULT 0 NOT NULL
);

ALTER TABLE "songs" ADD CONSTRAINT "songs_microgenre_id_microgenres_id_fk" FOREIGN KEY ("microgenre_id") REFERENCES "public"."microgenres"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_steward_id_users_id_fk" FOREIGN KEY ("steward_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_undoes_decisions_id_fk" FOREIGN KEY ("undoes") REFERENCES "public"."decisions"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_base_decisions_id_fk" FOREIGN KEY ("base") REFERENCES "public"."decisions"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "reports" ADD CONSTRAINT "reports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "reports" ADD CONSTRAINT "reports_closed_by_decisions_id_fk" FOREIGN KEY ("closed_by") REFERENCES "public"."decisions"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "suggestion_votes" ADD CONSTRAINT "suggestion_votes_suggestion_id_suggestions_id_fk" FOREIGN KEY ("suggestion_id") REFERENCES "public"."suggestions"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "suggestion_votes" ADD CONSTRAINT "suggestion_votes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "collection_items" ADD CONSTRAINT "collection_items_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "collections" ADD CONSTRAINT "collections_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "follows" ADD CONSTRAINT "follows_follower_id_users_id_fk" FOREIGN KEY ("follower_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "follows" ADD CONSTRAINT "follows_followed_id_users_id_fk" FOREIGN KEY ("followed_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "preferences" ADD CONSTRAINT "preferences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "provider_pictures" ADD CONSTRAINT "provider_pictures_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "share_tokens" ADD CONSTRAINT "share_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "sign_in_tokens" ADD CONSTRAINT "sign_in_tokens_invitation_id_invitations_id_fk" FOREIGN KEY ("invitation_id") REFERENCES "public"."invitations"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "users" ADD CONSTRAINT "users_invitation_id_invitations_id_fk" FOREIGN KEY ("invitation_id") REFERENCES "public"."invitations"("id") ON DELETE no action ON UPDATE no action;
CREATE INDEX "found_microgenres_waiting" ON "found_microgenres" USING btree ("id") WHERE "found_microgenres"."state" = 'waiting';
CREATE UNIQUE INDEX "songs_youtube_id" ON "songs" USING btree ("youtube_id") WHERE "songs"."youtube_id" is not null;
CREATE UNIQUE INDEX "songs_spotify_id" ON "songs" USING btree ("spotify_id") WHERE "songs"."spotify_id" is not null;
CREATE UNIQUE INDEX "songs_recording_mbid" ON "songs" USING btree ("recording_mbid") WHERE "songs"."recording_mbid" is not null;
CREATE INDEX "songs_deezer_track_id" ON "songs" USING btree ("deezer_track_id") WHERE "songs"."deezer_track_id" is not null;
CREATE INDEX "songs_plain_title" ON "songs" USING btree ("plain_title");
CREATE INDEX "songs_search" ON "songs" USING gin (array_to_tsvector(array_remove(
    string_to_array(regexp_replace("search_text", '...', '\&' || chr(31), 'g'), chr(31))
      || string_to_array(regexp_replace(substr("search_text", 2), '...', '\&' || chr(31), 'g'), chr(31))
      || string_to_array(regexp_replace(substr("search_text", 3), '...', '\&' || chr(31), 'g'), chr(31)), ''))) WHERE "songs"."retired_at" is null;
CREATE INDEX "songs_shortest" ON "songs" USING btree (char_length("title"),"id") WHERE "songs"."retired_at" is null;
CREATE INDEX "songs_retired" ON "songs" USING btree ("microgenre_id","id") WHERE "songs"."retired_at" is not null;
CREATE INDEX "songs_isrc" ON "songs" USING btree ("isrc") WHERE "songs"."isrc" is not null;
CREATE INDEX "songs_blocked_video" ON "songs" USING btree ("id") WHERE "songs"."blocked_video_id" is not null;
CREATE UNIQUE INDEX "video_candidates_id" ON "video_candidates" USING btree ("id");
CREATE INDEX "video_candidates_undecided" ON "video_candidates" USING btree ("song_id") WHERE "video_candidates"."refusal" in ('weak', 'regional', 'length differs');
CREATE UNIQUE INDEX "decisions_undoes" ON "decisions" USING btree ("undoes");
CREATE INDEX "decisions_steward_id" ON "decisions" USING btree ("steward_id");
CREATE INDEX "decisions_subject" ON "decisions" USING btree ("subject","subject_id","id");
CREATE INDEX "decisions_batch" ON "decisions" USING btree ("batch") WHERE "decisions"."batch" is not null;
CREATE UNIQUE INDEX "reports_open" ON "reports" USING btree ("subject","subject_id","user_id","reason") WHERE "reports"."closed_by" is null and "reports"."withdrawn_at" is null;
CREATE INDEX "reports_user_id" ON "reports" USING btree ("user_id");
CREATE INDEX "reports_closed_by" ON "reports" USING btree ("closed_by") WHERE "reports"."closed_by" is not null;
CREATE INDEX "suggestion_votes_user_id" ON "suggestion_votes" USING btree ("user_id","created_at");
CREATE UNIQUE INDEX "suggestions_open_key" ON "suggestions" USING btree ("song_key") WHERE "suggestions"."state" = 'waiting';
CREATE UNIQUE INDEX "suggestions_open_youtube" ON "suggestions" USING btree ("youtube_id") WHERE "suggestions"."state" = 'waiting';
CREATE UNIQUE INDEX "suggestions_open_spotify" ON "suggestions" USING btree ("spotify_id") WHERE "suggestions"."state" = 'waiting';
CREATE UNIQUE INDEX "suggestions_open_deezer" ON "suggestions" USING btree ("deezer_track_id") WHERE "suggestions"."state" = 'waiting';
CREATE UNIQUE INDEX "suggestions_open_recording" ON "suggestions" USING btree ("recording_mbid") WHERE "suggestions"."state" = 'waiting';
CREATE INDEX "suggestions_waiting" ON "suggestions" USING btree ("id") WHERE "suggestions"."state" = 'waiting';
CREATE INDEX "collections_user_id" ON "collections" USING btree ("user_id");
CREATE INDEX "feedback_unsent" ON "feedback" USING btree ("next_attempt_at") WHERE "feedback"."mailed_at" is null;
CREATE INDEX "follows_followed_id" ON "follows" USING btree ("followed_id");
CREATE INDEX "identities_user_id" ON "identities" USING btree ("user_id");
CREATE INDEX "passkeys_user_id" ON "passkeys" USING btree ("user_id");
CREATE INDEX "provider_pictures_waiting" ON "provider_pictures" USING btree ("user_id") WHERE "provider_pictures"."next_attempt_at" < 'infinity';
CREATE INDEX "sessions_user_id" ON "sessions" USING btree ("user_id");
CREATE INDEX "sessions_expires_at" ON "sessions" USING btree ("expires_at");
CREATE INDEX "sign_in_tokens_email" ON "sign_in_tokens" USING btree ("email");
CREATE INDEX "sign_in_tokens_expires_at" ON "sign_in_tokens" USING btree ("expires_at");
CREATE INDEX "uploads_user_id" ON "uploads" USING btree ("user_id");
CREATE INDEX "uploads_expires_at" ON "uploads" USING btree ("expires_at");
CREATE INDEX "users_public_by_followers" ON "users" USING btree ("follower_count" DESC NULLS FIRST,"id") WHERE "users"."is_public";
CREATE INDEX "users_search" ON "users" USING gin (array_to_tsvector(array_remove(
    string_to_array(regexp_replace("search_text", '...', '\&' || chr(31), 'g'), chr(31))
      || string_to_array(regexp_replace(substr("search_text", 2), '...', '\&' || chr(31), 'g'), chr(31))
      || string_to_array(regexp_replace(substr("search_text", 3), '...', '\&' || chr(31), 'g'), chr(31)), ''))) WITH (fastupdate=false) WHERE "users"."is_public";
CREATE INDEX "users_suspended" ON "users" USING btree ("id") WHERE "users"."suspended_at" is not null;
CREATE INDEX "users_names" ON "users" USING gin (array_to_tsvector(array_remove(
    string_to_array(regexp_replace(lower(coalesce("first_name", '') || ' ' || coalesce("last_name", '')), '...', '\&' || chr(31), 'g'), chr(31))
      || string_to_array(regexp_replace(substr(lower(coalesce("first_name", '') || ' ' || coalesce("last_name", '')), 2), '...', '\&' || chr(31), 'g'), chr(31))
      || string_to_array(regexp_replace(substr(lower(coalesce("first_name", '') || ' ' || coalesce("last_name", '')), 3), '...', '\&' || chr(31), 'g'), chr(31)), ''))) WITH (fastupdate=false) WHERE "users"."first_name" is not null or "users"."last_name" is not null;
CREATE INDEX "users_foreign_photo" ON "users" USING btree ("id") WHERE "users"."profile_image_url" like 'http%';
CREATE INDEX "achievements_user_id_id" ON "achievements" USING btree ("user_id","id");
CREATE INDEX "achievements_unannounced" ON "achievements" USING btree ("user_id") WHERE "achievements"."announced_at" is null;
CREATE INDEX "rating_changes_id" ON "rating_changes" USING btree ("id");
CREATE INDEX "ratings_in_order" ON "ratings" USING btree ("user_id","rated_at") WHERE "ratings"."rated_at" > '-infinity';
CREATE INDEX "undone_ratings_undone_at" ON "undone_ratings" USING btree ("undone_at");
CREATE INDEX "playback_reports_user_id_reported_at" ON "playback_reports" USING btree ("user_id","reported_at");
CREATE INDEX "playback_reports_song_id_reported_at" ON "playback_reports" USING btree ("song_id","reported_at");
CREATE INDEX "playback_reports_errors" ON "playback_reports" USING btree ("song_id") WHERE "playback_reports"."outcome" not in ('ready', 'preview');
CREATE INDEX "provider_cache_expires_at" ON "provider_cache" USING btree ("expires_at");
CREATE INDEX "rate_limits_expires_at" ON "rate_limits" USING btree ("expires_at");
CREATE INDEX "listener_last_days_day_user_id" ON "listener_last_days" USING btree ("day","user_id");
CREATE INDEX "song_totals_trending" ON "song_totals" USING btree ("recent_bangers","bangers","last_banger_at") WHERE "song_totals"."bangers" > 0;
CREATE INDEX "song_totals_divided" ON "song_totals" USING btree ((abs(2 * "bangers" - "ratings")::float8 / "ratings"),"ratings" DESC NULLS FIRST) WHERE "song_totals"."ratings" >= 5;
-- ANALYZE would make the trigrams of thousands of texts, for statistics that no search needs.
ALTER INDEX "songs_search" ALTER COLUMN 1 SET STATISTICS 0;
ALTER INDEX "users_search" ALTER COLUMN 1 SET STATISTICS 0;

INSERT INTO "community_totals" ("day") VALUES ((now() AT TIME ZONE 'UTC')::date);
