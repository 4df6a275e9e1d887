-- rate_song_v2 without the time of the rating. Only servers of the previous version call it.
CREATE OR REPLACE FUNCTION rate_song_v1(listener bigint, genre bigint, song bigint, is_banger boolean)
RETURNS TABLE (outcome text, next_song_id bigint)
LANGUAGE sql ROWS 1 AS $$
  SELECT rated.outcome, rated.next_song_id FROM rate_song_v2(listener, genre, song, is_banger) AS rated
$$;
