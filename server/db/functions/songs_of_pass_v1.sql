-- One row for each song that a listener has rated, put off or let go in the current pass (discover-43). `done` is false
-- for songs that were put off: they come again, the earliest first. Only servers of the previous version call it.
CREATE OR REPLACE FUNCTION songs_of_pass_v1(listener bigint)
RETURNS TABLE (microgenre_id bigint, song_id bigint, done boolean, put_off_at timestamptz)
LANGUAGE sql STABLE AS $$
  SELECT r.microgenre_id, r.song_id, true, NULL::timestamptz
  FROM ratings r
  JOIN listener_genres g ON g.user_id = r.user_id AND g.microgenre_id = r.microgenre_id AND g.pass = r.pass
  WHERE r.user_id = listener
  UNION ALL
  SELECT n.microgenre_id, n.song_id, n.let_go_at IS NOT NULL, n.put_off_at
  FROM not_now n
  JOIN listener_genres g ON g.user_id = n.user_id AND g.microgenre_id = n.microgenre_id AND g.pass = n.pass
  WHERE n.user_id = listener AND NOT EXISTS (
    SELECT FROM ratings r WHERE r.user_id = n.user_id AND r.song_id = n.song_id AND r.pass = n.pass
  )
$$;
