CREATE TABLE "mixes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mixes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"name" text NOT NULL,
	"song_ids" bigint[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mixes_name" CHECK (char_length(btrim("mixes"."name")) between 1 and 100),
	CONSTRAINT "mixes_song_ids" CHECK (cardinality("mixes"."song_ids") <= 50)
);
--> statement-breakpoint
ALTER TABLE "share_tokens" DROP CONSTRAINT "share_tokens_kind";--> statement-breakpoint
ALTER TABLE "mixes" ADD CONSTRAINT "mixes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mixes_user_id" ON "mixes" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "share_tokens" ADD CONSTRAINT "share_tokens_kind" CHECK ("share_tokens"."kind" in ('collection', 'achievement', 'mix'));