CREATE TABLE "long_tail" (
	"microgenre_id" bigint PRIMARY KEY NOT NULL,
	"songs" integer NOT NULL,
	"plays" bigint NOT NULL,
	"half_plays" bigint NOT NULL,
	"little_heard" integer NOT NULL,
	"little_heard_new" integer NOT NULL,
	"never_heard" integer NOT NULL,
	"counted_at" timestamp with time zone NOT NULL,
	CONSTRAINT "long_tail_listeners" CHECK ("long_tail"."songs" > 1 and "long_tail"."plays" >= 5)
);
