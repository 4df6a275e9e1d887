CREATE TABLE "blind_rounds" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"song_ids" bigint[] NOT NULL,
	"results" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "blind_rounds_token_unique" UNIQUE("token")
);
--> statement-breakpoint
ALTER TABLE "blind_rounds" ADD CONSTRAINT "blind_rounds_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;