-- put_song_off with all that a page shows of the next song, so that one call does it all: it touches one listener only.
CREATE FUNCTION functions.say_not_now(listener bigint, genre bigint, song bigint, again boolean)
RETURNS TABLE (outcome text, said_at text, put_off boolean, reason smallint, song_id bigint, title text, artist text, year integer, album_art text, youtube_id text, youtube_blocked boolean,
  spotify_id text, preview_url text, deezer_track_id text, release_mbid text, duration_ms integer, microgenre_id bigint,
  microgenre text, color text)
LANGUAGE plpgsql ROWS 1 SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  said record;
BEGIN
  SELECT * INTO said FROM functions.put_song_off(listener, genre, song, again);
  RETURN QUERY
    SELECT said.outcome, said.said_at, n.*
    FROM functions.offer_songs(ARRAY[said.next_song_id], ARRAY[said.next_put_off], ARRAY[said.next_reason]) n;
END
$$;
