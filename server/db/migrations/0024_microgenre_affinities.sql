CREATE TABLE "microgenre_affinities" (
	"microgenre_id" bigint NOT NULL,
	"other_id" bigint NOT NULL,
	"listeners" integer NOT NULL,
	"affinity" real NOT NULL,
	CONSTRAINT "microgenre_affinities_microgenre_id_other_id_pk" PRIMARY KEY("microgenre_id","other_id"),
	CONSTRAINT "microgenre_affinities_listeners" CHECK ("microgenre_affinities"."listeners" >= 10)
);
