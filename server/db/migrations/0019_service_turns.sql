CREATE TABLE "service_turns" (
	"service" text PRIMARY KEY NOT NULL,
	"turns" timestamp with time zone[] NOT NULL,
	"held_until" timestamp with time zone
);
