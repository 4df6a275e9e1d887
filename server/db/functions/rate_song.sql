-- All that a rating does, in one call that touches one listener only: rates the song (store_rating), adds what all
-- listeners think of it and the listener's own figures (rating_figures), and returns the next song, or with `ahead`
-- the next `most` songs, with all that a page shows of them. One row for each song, and one without a song when there is
-- none. A refused rating has figures without a song, and no songs.
CREATE FUNCTION functions.rate_song(listener bigint, genre bigint, song bigint, is_banger boolean,
  seconds real, source text, zone text, ahead boolean, most integer)
RETURNS TABLE (outcome text, rated_at text, listeners integer, bangers integer, total_bangers integer,
  total_ratings integer, daily_bangers integer, daily_ratings integer, unlocked boolean, put_off boolean, reason smallint,
  song_id bigint, title text, artist text, year integer, album_art text, youtube_id text, youtube_blocked boolean,
  spotify_id text, preview_url text, deezer_track_id text, release_mbid text, duration_ms integer, microgenre_id bigint,
  microgenre text, color text)
LANGUAGE plpgsql ROWS 1 SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  rated record;
  figures record;
  ids bigint[];
  put_offs boolean[];
  reasons smallint[];
BEGIN
  SELECT * INTO rated FROM functions.store_rating(listener, genre, song, is_banger, seconds, source);
  SELECT * INTO figures
  FROM functions.rating_figures(listener, CASE rated.outcome WHEN 'rated' THEN song END, zone);
  IF ahead AND rated.outcome = 'rated' THEN
    SELECT array_agg(n.song_id ORDER BY n.place), array_agg(n.put_off ORDER BY n.place),
      array_agg(n.reason ORDER BY n.place)
    INTO ids, put_offs, reasons
    FROM functions.next_song_ids(listener, genre, most) WITH ORDINALITY AS n (song_id, put_off, reason, place);
  END IF;
  IF ids IS NULL THEN
    ids := ARRAY[rated.next_song_id];
    put_offs := ARRAY[rated.next_put_off];
    reasons := ARRAY[rated.next_reason];
  END IF;
  RETURN QUERY
    SELECT rated.outcome, rated.rated_at, figures.listeners, figures.bangers, figures.total_bangers,
      figures.total_ratings, figures.daily_bangers, figures.daily_ratings, figures.unlocked, n.*
    FROM functions.offer_songs(ids, put_offs, reasons) n;
END
$$;
