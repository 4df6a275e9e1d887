CREATE TABLE "deleted_accounts" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"deleted_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
LOCK TABLE "users" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
ALTER TABLE "users" DROP CONSTRAINT "users_follow_counts";--> statement-breakpoint
ALTER TABLE "follows" DROP CONSTRAINT "follows_follower_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "follows" DROP CONSTRAINT "follows_followed_id_users_id_fk";--> statement-breakpoint
-- Also for the version before, whose deletions leave follows, too.
CREATE FUNCTION record_deleted_accounts() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
	INSERT INTO deleted_accounts (user_id) SELECT id FROM gone;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER record_deleted_accounts AFTER DELETE ON "users" REFERENCING OLD TABLE AS gone
FOR EACH STATEMENT EXECUTE FUNCTION record_deleted_accounts();--> statement-breakpoint
-- Whose collections they were about is not known any more.
UPDATE "decisions" SET "label" = 'A deleted collection', "changes" = '[]', "kept" = '{}'
WHERE "subject" = 'collection' AND NOT EXISTS (SELECT FROM "collections" c WHERE c."id" = "decisions"."subject_id");
