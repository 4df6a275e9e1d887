ALTER TABLE "uploads" DROP CONSTRAINT "uploads_user_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "discarded_at" timestamp with time zone;
