ALTER TABLE "users" ADD COLUMN "suspended_by" text;
