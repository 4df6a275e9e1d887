ALTER TABLE "users" ADD COLUMN "ear_first" boolean DEFAULT false NOT NULL;
