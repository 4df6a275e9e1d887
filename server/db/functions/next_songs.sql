-- next_song_ids with all that a page shows of the songs, so that one call does it all: it touches one listener only.
CREATE FUNCTION functions.next_songs(listener bigint, genre bigint, wanted integer)
RETURNS TABLE (put_off boolean, reason smallint, song_id bigint, title text, artist text, year integer, album_art text, youtube_id text, youtube_blocked boolean,
  spotify_id text, preview_url text, deezer_track_id text, release_mbid text, duration_ms integer, microgenre_id bigint,
  microgenre text, color text)
LANGUAGE plpgsql ROWS 1 SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  ids bigint[];
  put_offs boolean[];
  reasons smallint[];
BEGIN
  SELECT array_agg(n.song_id ORDER BY n.place), array_agg(n.put_off ORDER BY n.place), array_agg(n.reason ORDER BY n.place)
  INTO ids, put_offs, reasons
  FROM functions.next_song_ids(listener, genre, wanted) WITH ORDINALITY AS n (song_id, put_off, reason, place);
  RETURN QUERY SELECT * FROM functions.offer_songs(ids, put_offs, reasons);
END
$$;
