-- next_songs_v3 without why each song is dealt. Only servers of the previous version call it.
CREATE OR REPLACE FUNCTION next_songs_v2(listener bigint, genre bigint, wanted integer)
RETURNS TABLE (song_id bigint, put_off boolean)
LANGUAGE sql ROWS 1 AS $$
  SELECT next.song_id, next.put_off
  FROM next_songs_v3(listener, genre, wanted) WITH ORDINALITY AS next (song_id, put_off, reason, rank)
  ORDER BY next.rank
$$;
