CREATE TABLE "microgenre_growth" (
	"microgenre_id" bigint PRIMARY KEY NOT NULL,
	"next_at" timestamp with time zone NOT NULL
);
