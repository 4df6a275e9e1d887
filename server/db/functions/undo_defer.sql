-- Undoes the 'Not now' of this time, if it is the song's last one in this pass. A song that was skipped is deferred again;
-- one that was deferred returns to its place. A repeated call changes nothing. Returns false for an unknown song or
-- listener.
CREATE FUNCTION functions.undo_defer(listener bigint, song bigint, deferred_at text)
RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  song_row songs%ROWTYPE;
  pass_row listener_genres%ROWTYPE;
  mark not_now%ROWTYPE;
BEGIN
  SELECT * INTO song_row FROM songs s WHERE s.id = song;
  PERFORM FROM listener_stats s WHERE s.user_id = listener FOR UPDATE;
  IF NOT FOUND OR song_row.id IS NULL THEN
    RETURN false;
  END IF;
  SELECT * INTO pass_row FROM listener_genres g
  WHERE g.user_id = listener AND g.microgenre_id = song_row.microgenre_id;
  SELECT * INTO mark FROM not_now n
  WHERE n.user_id = listener AND n.microgenre_id = song_row.microgenre_id AND n.song_id = song
    AND n.pass = pass_row.pass;
  IF functions.rating_time(mark.let_go_at) = deferred_at THEN
    UPDATE not_now n SET let_go_at = NULL
    WHERE n.user_id = listener AND n.microgenre_id = song_row.microgenre_id AND n.song_id = song;
    -- A song that was rated since is still done.
    UPDATE listener_genres g SET done = g.done - 1
    WHERE g.user_id = listener AND g.microgenre_id = song_row.microgenre_id AND NOT EXISTS (
      SELECT FROM ratings r WHERE r.user_id = listener AND r.song_id = song AND r.pass = pass_row.pass);
  ELSIF mark.let_go_at IS NULL AND functions.rating_time(mark.put_off_at) = deferred_at THEN
    DELETE FROM not_now n
    WHERE n.user_id = listener AND n.microgenre_id = song_row.microgenre_id AND n.song_id = song;
    PERFORM functions.return_song(pass_row, song, mark.dealt_number, mark.dealt_reason);
  END IF;
  RETURN true;
END
$$;
