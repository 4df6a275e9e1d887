ALTER TABLE "listener_genres" ADD COLUMN "lean_song_id" bigint;
