CREATE TABLE "microgenre_places" (
	"microgenre_id" bigint PRIMARY KEY NOT NULL,
	"x" real NOT NULL,
	"y" real NOT NULL,
	"drawn_on" date NOT NULL
);
