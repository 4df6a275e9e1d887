-- Ratings of a running server wait before they begin, so that none of them leaves out the new column.
LOCK TABLE "listener_stats";--> statement-breakpoint
CREATE TABLE "undone_ratings" (
	"user_id" bigint NOT NULL,
	"song_id" bigint NOT NULL,
	"undone_at" timestamp with time zone NOT NULL,
	CONSTRAINT "undone_ratings_user_id_song_id_pk" PRIMARY KEY("user_id","song_id")
);
--> statement-breakpoint
ALTER TABLE "listener_genres" ADD COLUMN "done" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "undone_ratings_undone_at" ON "undone_ratings" USING btree ("undone_at");--> statement-breakpoint
CREATE INDEX "songs_retired" ON "songs" USING btree ("microgenre_id","id") WHERE "songs"."retired_at" is not null;--> statement-breakpoint
UPDATE "listener_genres" g SET "done" = pass.songs
FROM (
	SELECT user_id, microgenre_id, count(*) AS songs
	FROM (
		SELECT r.user_id, r.microgenre_id, r.song_id
		FROM "ratings" r JOIN "listener_genres" g USING (user_id, microgenre_id, pass)
		UNION
		SELECT n.user_id, n.microgenre_id, n.song_id
		FROM "not_now" n JOIN "listener_genres" g USING (user_id, microgenre_id, pass)
		WHERE n.let_go_at IS NOT NULL
	) done
	GROUP BY user_id, microgenre_id
) pass
WHERE pass.user_id = g.user_id AND pass.microgenre_id = g.microgenre_id;--> statement-breakpoint
ALTER TABLE "listener_genres" ADD CONSTRAINT "listener_genres_done" CHECK ("listener_genres"."done" >= 0);