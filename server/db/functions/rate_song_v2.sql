-- rate_song_v3 without what was heard. Only servers of the previous version call it.
CREATE OR REPLACE FUNCTION rate_song_v2(listener bigint, genre bigint, song bigint, is_banger boolean)
RETURNS TABLE (outcome text, next_song_id bigint, rated_at text)
LANGUAGE sql ROWS 1 AS $$
  SELECT rated.outcome, rated.next_song_id, rated.rated_at
  FROM rate_song_v3(listener, genre, song, is_banger, NULL, NULL) AS rated
$$;
