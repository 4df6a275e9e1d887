-- rate_song_v4 without why the next song is dealt. Only servers of the previous version call it.
CREATE OR REPLACE FUNCTION rate_song_v3(listener bigint, genre bigint, song bigint, is_banger boolean,
  seconds real, source text)
RETURNS TABLE (outcome text, next_song_id bigint, next_put_off boolean, rated_at text)
LANGUAGE sql ROWS 1 AS $$
  SELECT rated.outcome, rated.next_song_id, rated.next_put_off, rated.rated_at
  FROM rate_song_v4(listener, genre, song, is_banger, seconds, source) AS rated
$$;
