ALTER TABLE "songs" ADD COLUMN "folded" text;--> statement-breakpoint
ALTER TABLE "songs" ADD COLUMN "title_key" text;--> statement-breakpoint
ALTER TABLE "songs" ADD COLUMN "folded_from" bigint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "folded" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "folded_from" bigint;
