ALTER TABLE "microgenres" ADD COLUMN "relatives" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "microgenre_places" ADD COLUMN "near" bigint[];--> statement-breakpoint
-- The map is drawn anew: moving a little each day, it would take weeks.
DELETE FROM "microgenre_places";
