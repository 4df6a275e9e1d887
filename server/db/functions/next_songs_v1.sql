-- next_songs_v2 without what was put off. Only servers of the previous version call it.
CREATE OR REPLACE FUNCTION next_songs_v1(listener bigint, genre bigint, wanted integer)
RETURNS SETOF bigint
LANGUAGE sql ROWS 1 AS $$
  SELECT next.song_id
  FROM next_songs_v2(listener, genre, wanted) WITH ORDINALITY AS next (song_id, put_off, rank)
  ORDER BY next.rank
$$;
