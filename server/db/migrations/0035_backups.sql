CREATE TABLE "backups" (
	"run" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backups_run_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"scheduled" boolean NOT NULL,
	"machine" text NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"file" text NOT NULL,
	"bytes" bigint,
	"proven_at" timestamp with time zone,
	"trouble" text
);
