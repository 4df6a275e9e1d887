-- Defers a song to the end of the pass, and skips it for this pass when it had come `again` (discover-43). Returns the time
-- that undo names, and the next song with all that a page shows of it. A repeated call changes nothing, nor does one for a
-- song that was rated meanwhile, which has no time. No row is returned for what cannot be deferred.
CREATE FUNCTION functions.defer_song(listener bigint, genre bigint, song bigint, again boolean)
RETURNS TABLE (said_at text, put_off boolean, reason smallint, song_id bigint, title text, artist text, year integer,
  album_art text, youtube_id text, youtube_blocked boolean, spotify_id text, preview_url text, deezer_track_id text,
  release_mbid text, duration_ms integer, microgenre_id bigint, microgenre text, color text, audio jsonb)
LANGUAGE plpgsql ROWS 1 SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  pass_row listener_genres%ROWTYPE;
  mark not_now%ROWTYPE;
  deferred_now timestamptz;
  at integer;
BEGIN
  PERFORM FROM songs s WHERE s.id = song AND s.microgenre_id = genre;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  PERFORM FROM listener_stats s WHERE s.user_id = listener FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  PERFORM functions.begin_pass(listener, genre);
  SELECT * INTO pass_row FROM listener_genres g WHERE g.user_id = listener AND g.microgenre_id = genre;

  IF NOT EXISTS (
    SELECT FROM ratings r WHERE r.user_id = listener AND r.song_id = song AND r.pass = pass_row.pass
  ) THEN
    deferred_now := clock_timestamp();
    SELECT * INTO mark FROM not_now n
    WHERE n.user_id = listener AND n.microgenre_id = genre AND n.song_id = song AND n.pass = pass_row.pass;
    IF NOT FOUND THEN
      -- How the song was dealt, so that undo brings it back there (discover-49). Both are null if it was not.
      at := array_position(pass_row.ahead, song);
      INSERT INTO not_now AS n (user_id, microgenre_id, song_id, pass, put_off_at, dealt_number, dealt_reason)
      VALUES (listener, genre, song, pass_row.pass, deferred_now, pass_row.ahead_numbers[at],
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
        UPDATE not_now n SET let_go_at = deferred_now
        WHERE n.user_id = listener AND n.microgenre_id = genre AND n.song_id = song
        RETURNING * INTO mark;
        UPDATE listener_genres g SET done = g.done + 1 WHERE g.user_id = listener AND g.microgenre_id = genre;
      END IF;
      said_at := functions.rating_time(CASE WHEN again THEN mark.let_go_at ELSE mark.put_off_at END);
    END IF;
  END IF;

  RETURN QUERY
    SELECT said_at, n.* FROM (SELECT 1) AS one LEFT JOIN functions.next_songs(listener, genre, 1) n ON true;
END
$$;
