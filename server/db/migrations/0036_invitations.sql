CREATE TABLE "invitations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "invitations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
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
--> statement-breakpoint
ALTER TABLE "sign_in_tokens" ADD COLUMN "invitation_id" bigint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "invitation_id" bigint;--> statement-breakpoint
ALTER TABLE "sign_in_tokens" ADD CONSTRAINT "sign_in_tokens_invitation_id_invitations_id_fk" FOREIGN KEY ("invitation_id") REFERENCES "public"."invitations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_invitation_id_invitations_id_fk" FOREIGN KEY ("invitation_id") REFERENCES "public"."invitations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "users_names" ON "users" USING gin (array_to_tsvector(array_remove(
    string_to_array(regexp_replace(lower(coalesce("first_name", '') || ' ' || coalesce("last_name", '')), '...', '\&' || chr(31), 'g'), chr(31))
      || string_to_array(regexp_replace(substr(lower(coalesce("first_name", '') || ' ' || coalesce("last_name", '')), 2), '...', '\&' || chr(31), 'g'), chr(31))
      || string_to_array(regexp_replace(substr(lower(coalesce("first_name", '') || ' ' || coalesce("last_name", '')), 3), '...', '\&' || chr(31), 'g'), chr(31)), ''))) WITH (fastupdate=false) WHERE "users"."first_name" is not null or "users"."last_name" is not null;