CREATE TABLE "loaded_catalogue" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"number" integer NOT NULL,
	"sha256" text NOT NULL,
	"loaded_at" timestamp with time zone DEFAULT now() NOT NULL
);
