-- Puts a song off to the end of the pass, and lets it go for this pass when it had come `again` (discover-43). Returns the
-- next song, whether that was put off before and why it is dealt, and the time that undo names. A repeated call changes
-- nothing, nor does one for a song that was rated meanwhile, which has no time.
CREATE FUNCTION functions.put_song_off(listener bigint, genre bigint, song bigint, again boolean)
RETURNS TABLE (outcome text, next_song_id bigint, next_put_off boolean, next_reason smallint, said_at text)
LANGUAGE plpgsql ROWS 1 SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  pass_row listener_genres%ROWTYPE;
  mark not_now%ROWTYPE;
  song_genre bigint;
  said_now timestamptz;
  at integer;
BEGIN
  SELECT s.microgenre_id INTO song_genre FROM songs s WHERE s.id = song;
  IF song_genre IS NULL THEN
    RETURN QUERY SELECT 'unknown_song', NULL::bigint, NULL::boolean, NULL::smallint, NULL::text;
    RETURN;
  END IF;
  IF song_genre <> genre THEN
    RETURN QUERY SELECT 'wrong_microgenre', NULL::bigint, NULL::boolean, NULL::smallint, NULL::text;
    RETURN;
  END IF;

  PERFORM FROM listener_stats s WHERE s.user_id = listener FOR UPDATE;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'unknown_listener', NULL::bigint, NULL::boolean, NULL::smallint, NULL::text;
    RETURN;
  END IF;
  PERFORM functions.begin_pass(listener, genre);
  SELECT * INTO pass_row FROM listener_genres g WHERE g.user_id = listener AND g.microgenre_id = genre;

  IF NOT EXISTS (
    SELECT FROM ratings r WHERE r.user_id = listener AND r.song_id = song AND r.pass = pass_row.pass
  ) THEN
    said_now := clock_timestamp();
    SELECT * INTO mark FROM not_now n
    WHERE n.user_id = listener AND n.microgenre_id = genre AND n.song_id = song AND n.pass = pass_row.pass;
    IF NOT FOUND THEN
      -- How the song was dealt, so that undo brings it back there (discover-49). Both are null if it was not.
      at := array_position(pass_row.ahead, song);
      INSERT INTO not_now AS n (user_id, microgenre_id, song_id, pass, put_off_at, dealt_number, dealt_reason)
      VALUES (listener, genre, song, pass_row.pass, said_now, pass_row.ahead_numbers[at],
        pass_row.ahead_reasons[at])
      ON CONFLICT (user_id, microgenre_id, song_id) DO UPDATE SET
        pass = excluded.pass, put_off_at = excluded.put_off_at, let_go_at = NULL,
        dealt_number = excluded.dealt_number, dealt_reason = excluded.dealt_reason
      RETURNING * INTO mark;
      UPDATE listener_genres g SET
        ahead = g.ahead[:at - 1] || g.ahead[at + 1:],
        ahead_numbers = g.ahead_numbers[:at - 1] || g.ahead_numbers[at + 1:],
        ahead_reasons = g.ahead_reasons[:at - 1] || g.ahead_reasons[at + 1:]
      WHERE g.user_id = listener AND g.microgenre_id = genre AND at IS NOT NULL;
      said_at := functions.rating_time(mark.put_off_at);
    ELSE
      IF again AND mark.let_go_at IS NULL THEN
        UPDATE not_now n SET let_go_at = said_now
        WHERE n.user_id = listener AND n.microgenre_id = genre AND n.song_id = song
        RETURNING * INTO mark;
        UPDATE listener_genres g SET done = g.done + 1 WHERE g.user_id = listener AND g.microgenre_id = genre;
      END IF;
      said_at := functions.rating_time(CASE WHEN again THEN mark.let_go_at ELSE mark.put_off_at END);
    END IF;
  END IF;

  SELECT n.song_id, n.put_off, n.reason INTO next_song_id, next_put_off, next_reason
  FROM functions.next_song_ids(listener, genre, 1) n;
  outcome := 'said';
  RETURN NEXT;
END
$$;
