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
  genre_size integer;
  said_now timestamptz;
  at integer;
  coming bigint[];
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
  SELECT m.song_count INTO genre_size FROM microgenres m WHERE m.id = genre;
  INSERT INTO listener_genres (user_id, microgenre_id, pass_seed, pass_size)
  VALUES (listener, genre, floor(random() * 2147483647)::integer, genre_size)
  ON CONFLICT (user_id, microgenre_id) DO UPDATE SET pass = listener_genres.pass
  RETURNING * INTO pass_row;

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
      IF at IS NOT NULL THEN
        pass_row.ahead := pass_row.ahead[:at - 1] || pass_row.ahead[at + 1:];
        pass_row.ahead_numbers := pass_row.ahead_numbers[:at - 1] || pass_row.ahead_numbers[at + 1:];
        pass_row.ahead_reasons := pass_row.ahead_reasons[:at - 1] || pass_row.ahead_reasons[at + 1:];
      END IF;
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

  coming := functions.coming_cards(listener, genre, pass_row.ahead, 1);
  IF cardinality(coming) = 0 THEN
    pass_row := functions.deal_songs(pass_row, 5);
    coming := pass_row.ahead;
  END IF;
  next_song_id := coming[1];
  next_put_off := false;
  next_reason := pass_row.ahead_reasons[array_position(pass_row.ahead, next_song_id)];
  -- When no song is left to deal, those come that were put off.
  IF next_song_id IS NULL THEN
    SELECT u.song_id, u.put_off INTO next_song_id, next_put_off
    FROM functions.unrated_songs(listener, genre, pass_row.pass_seed, pass_row.pass_size, pass_row.pass_position, 1) u;
  END IF;
  UPDATE listener_genres g SET
    pass_position = pass_row.pass_position,
    ahead = pass_row.ahead,
    ahead_numbers = pass_row.ahead_numbers,
    ahead_reasons = pass_row.ahead_reasons
  WHERE g.user_id = listener AND g.microgenre_id = genre
    AND (g.pass_position, g.ahead) IS DISTINCT FROM (pass_row.pass_position, pass_row.ahead);
  outcome := 'said';
  RETURN NEXT;
END
$$;
