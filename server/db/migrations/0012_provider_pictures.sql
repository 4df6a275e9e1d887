CREATE TABLE "provider_pictures" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "provider_pictures" ADD CONSTRAINT "provider_pictures_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "provider_pictures_waiting" ON "provider_pictures" USING btree ("user_id") WHERE "provider_pictures"."next_attempt_at" < 'infinity';--> statement-breakpoint
CREATE INDEX "users_foreign_photo" ON "users" USING btree ("id") WHERE "users"."profile_image_url" like 'http%';