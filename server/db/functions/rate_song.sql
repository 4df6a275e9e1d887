-- All that a rating does, in one call that touches one listener only: rates the song (store_rating), adds what all
-- listeners think of it and the listener's own figures (rating_figures), and returns the next song with all that a page
-- shows of it, if there is one. A refused rating has figures without a song, and no next song.
CREATE FUNCTION functions.rate_song(listener bigint, genre bigint, song bigint, is_banger boolean,
  seconds real, source text, zone text)
RETURNS TABLE (outcome text, rated_at text, listeners integer, bangers integer, total_bangers integer,
  total_ratings integer, daily_bangers integer, daily_ratings integer, unlocked boolean, put_off boolean, reason smallint,
  song_id bigint, title text, artist text, year integer, album_art text, youtube_id text, youtube_blocked boolean,
  spotify_id text, preview_url text, deezer_track_id text, release_mbid text, duration_ms integer, microgenre_id bigint,
  microgenre text, color text)
LANGUAGE plpgsql ROWS 1 SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  rated record;
  figures record;
BEGIN
  SELECT * INTO rated FROM functions.store_rating(listener, genre, song, is_banger, seconds, source);
  SELECT * INTO figures
  FROM functions.rating_figures(listener, CASE rated.outcome WHEN 'rated' THEN song END, zone);
  RETURN QUERY
    SELECT rated.outcome, rated.rated_at, figures.listeners, figures.bangers, figures.total_bangers,
      figures.total_ratings, figures.daily_bangers, figures.daily_ratings, figures.unlocked, n.*
    FROM functions.offer_songs(ARRAY[rated.next_song_id], ARRAY[rated.next_put_off], ARRAY[rated.next_reason]) n;
END
$$;
