-- Takes back that an import let a song go: unless it is rated in this pass, it comes again. The caller holds the
-- listener's lock.
CREATE FUNCTION functions.remove_import_mark(mark not_now) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  pass_row listener_genres%ROWTYPE;
BEGIN
  -- The listener had put it off before.
  UPDATE not_now n SET let_go_at = NULL
  WHERE n.user_id = mark.user_id AND n.microgenre_id = mark.microgenre_id AND n.song_id = mark.song_id
    AND n.put_off_at > '-infinity';
  DELETE FROM not_now n
  WHERE n.user_id = mark.user_id AND n.microgenre_id = mark.microgenre_id AND n.song_id = mark.song_id
    AND n.put_off_at = '-infinity';
  SELECT * INTO pass_row FROM listener_genres g
  WHERE g.user_id = mark.user_id AND g.microgenre_id = mark.microgenre_id;
  IF mark.pass <> pass_row.pass OR EXISTS (
    SELECT FROM ratings r WHERE r.user_id = mark.user_id AND r.song_id = mark.song_id AND r.pass = mark.pass
  ) THEN
    RETURN;
  END IF;
  UPDATE listener_genres g SET done = g.done - 1
  WHERE g.user_id = mark.user_id AND g.microgenre_id = mark.microgenre_id;
  IF mark.put_off_at = '-infinity' THEN
    PERFORM functions.return_song(pass_row, mark.song_id, mark.dealt_number, mark.dealt_reason);
  END IF;
END
$$;
