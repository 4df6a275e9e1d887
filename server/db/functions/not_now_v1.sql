-- Puts a song off to the end of the pass, and lets it go for this pass when it had come `again` (discover-43). Returns the
-- next song, whether that was put off before, and the time that undo names. A repeated call changes nothing, nor does
-- one for a song that was rated meanwhile, which has no time.
CREATE OR REPLACE FUNCTION not_now_v1(listener bigint, genre bigint, song bigint, again boolean)
RETURNS TABLE (outcome text, next_song_id bigint, next_put_off boolean, said_at text)
LANGUAGE plpgsql ROWS 1 SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  pass_row listener_genres%ROWTYPE;
  mark not_now%ROWTYPE;
  song_genre bigint;
  next_place integer;
BEGIN
  SELECT s.microgenre_id INTO song_genre FROM songs s WHERE s.id = song;
  IF song_genre IS NULL THEN
    RETURN QUERY SELECT 'unknown_song', NULL::bigint, NULL::boolean, NULL::text;
    RETURN;
  END IF;
  IF song_genre <> genre THEN
    RETURN QUERY SELECT 'wrong_microgenre', NULL::bigint, NULL::boolean, NULL::text;
    RETURN;
  END IF;

  PERFORM FROM listener_stats s WHERE s.user_id = listener FOR UPDATE;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'unknown_listener', NULL::bigint, NULL::boolean, NULL::text;
    RETURN;
  END IF;
  INSERT INTO listener_genres (user_id, microgenre_id, pass_seed, pass_size)
  SELECT listener, m.id, floor(random() * 2147483647)::integer, m.song_count
  FROM microgenres m WHERE m.id = genre
  ON CONFLICT (user_id, microgenre_id) DO UPDATE SET pass = listener_genres.pass
  RETURNING * INTO pass_row;

  IF NOT EXISTS (
    SELECT FROM ratings r WHERE r.user_id = listener AND r.song_id = song AND r.pass = pass_row.pass
  ) THEN
    SELECT * INTO mark FROM not_now n
    WHERE n.user_id = listener AND n.microgenre_id = genre AND n.song_id = song AND n.pass = pass_row.pass;
    IF NOT FOUND THEN
      INSERT INTO not_now AS n (user_id, microgenre_id, song_id, pass, put_off_at)
      VALUES (listener, genre, song, pass_row.pass, clock_timestamp())
      ON CONFLICT (user_id, microgenre_id, song_id) DO UPDATE SET
        pass = excluded.pass, put_off_at = excluded.put_off_at, let_go_at = NULL
      RETURNING * INTO mark;
      said_at := rating_time_v1(mark.put_off_at);
    ELSE
      IF again AND mark.let_go_at IS NULL THEN
        UPDATE not_now n SET let_go_at = clock_timestamp()
        WHERE n.user_id = listener AND n.microgenre_id = genre AND n.song_id = song
        RETURNING * INTO mark;
      END IF;
      said_at := rating_time_v1(CASE WHEN again THEN mark.let_go_at ELSE mark.put_off_at END);
    END IF;
  END IF;

  SELECT u.place, u.song_id, u.put_off INTO next_place, next_song_id, next_put_off
  FROM unrated_songs_v2(listener, genre, pass_row.pass_seed, pass_row.pass_size, pass_row.pass_position, 1) u;
  UPDATE listener_genres g SET pass_position = next_place
  WHERE g.user_id = listener AND g.microgenre_id = genre AND next_place <> pass_row.pass_position;
  outcome := 'said';
  RETURN NEXT;
END
$$;
