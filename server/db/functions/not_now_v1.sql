-- not_now_v2 without why the next song is dealt. Only servers of the previous version call it.
CREATE OR REPLACE FUNCTION not_now_v1(listener bigint, genre bigint, song bigint, again boolean)
RETURNS TABLE (outcome text, next_song_id bigint, next_put_off boolean, said_at text)
LANGUAGE sql ROWS 1 AS $$
  SELECT said.outcome, said.next_song_id, said.next_put_off, said.said_at
  FROM not_now_v2(listener, genre, song, again) AS said
$$;
