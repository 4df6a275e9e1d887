ALTER TABLE "sign_in_tokens" ADD COLUMN "code_hash" "bytea";--> statement-breakpoint
ALTER TABLE "sign_in_tokens" ADD COLUMN "code_tries" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "sign_in_tokens_browser_hash" ON "sign_in_tokens" USING btree ("browser_hash");