-- Removes a rating. With `bring_back` (undo) the rating that it replaced in an earlier pass is restored; without it
-- (removal from the library) the song is unrated. If the rating was of this pass, the song comes again (return_song).
-- With `given_at`, the rating's time with micro- or milliseconds, only that rating is removed; an undo without it removes
-- only one of this pass. Returns false when there is no rating to remove, but true if that of `given_at` was removed
-- already. `undone_ratings` tells pages that have the list what changed in it.
CREATE FUNCTION functions.unrate_song(listener bigint, song bigint, bring_back boolean, given_at text)
RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  before ratings%ROWTYPE;
  pass_row listener_genres%ROWTYPE;
  mark not_now%ROWTYPE;
  restored boolean;
  banger_step integer;
  rating_step integer;
BEGIN
  PERFORM FROM listener_stats s WHERE s.user_id = listener FOR UPDATE;
  SELECT * INTO before FROM ratings r WHERE r.user_id = listener AND r.song_id = song;
  -- The rating that is meant does not exist any more: this call is a retry, or another call changed the rating.
  IF given_at IS NOT NULL
    AND starts_with(functions.rating_time(before.rated_at), rtrim(given_at, 'Z')) IS NOT TRUE THEN
    RETURN true;
  END IF;
  IF before.user_id IS NULL THEN
    RETURN false;
  END IF;
  PERFORM functions.lean_towards(listener, song, false);
  SELECT * INTO pass_row FROM listener_genres g
  WHERE g.user_id = listener AND g.microgenre_id = before.microgenre_id;
  -- Without a time: a rating of an earlier pass is not the one to undo, or was restored already.
  IF bring_back AND given_at IS NULL AND before.pass <> pass_row.pass THEN
    RETURN false;
  END IF;

  restored := bring_back AND before.previous_pass IS NOT NULL;
  IF restored THEN
    UPDATE ratings r SET banger = r.previous_banger, pass = r.previous_pass, rated_at = r.previous_rated_at,
      heard_seconds = r.previous_heard_seconds, heard_source = r.previous_heard_source,
      previous_banger = NULL, previous_pass = NULL, previous_rated_at = NULL,
      dealt_number = NULL, dealt_reason = r.previous_dealt_reason,
      previous_heard_seconds = NULL, previous_heard_source = NULL, previous_dealt_reason = NULL
    WHERE r.user_id = listener AND r.song_id = song;
    rating_step := 0;
    banger_step := before.previous_banger::integer - before.banger::integer;
    INSERT INTO rating_changes (user_id, song_id, microgenre_id, old_banger, old_rated_at, old_heard, old_dealt,
      new_banger, new_rated_at, new_heard, new_dealt)
    VALUES (listener, song, before.microgenre_id, before.banger,
      functions.counted_at(before.pass, before.rated_at), before.heard_source IS NOT NULL,
      before.heard_source IS NOT NULL AND before.dealt_reason IS NOT NULL,
      before.previous_banger, functions.counted_at(before.previous_pass, before.previous_rated_at),
      before.previous_heard_source IS NOT NULL,
      before.previous_heard_source IS NOT NULL AND before.previous_dealt_reason IS NOT NULL);
  ELSE
    DELETE FROM ratings r WHERE r.user_id = listener AND r.song_id = song;
    rating_step := -1;
    banger_step := -(before.banger::integer);
    INSERT INTO rating_changes (user_id, song_id, microgenre_id, old_banger, old_rated_at, old_heard, old_dealt)
    VALUES (listener, song, before.microgenre_id, before.banger,
      functions.counted_at(before.pass, before.rated_at), before.heard_source IS NOT NULL,
      before.heard_source IS NOT NULL AND before.dealt_reason IS NOT NULL);
  END IF;

  INSERT INTO undone_ratings (user_id, song_id, undone_at) VALUES (listener, song, clock_timestamp())
  ON CONFLICT (user_id, song_id) DO UPDATE SET undone_at = excluded.undone_at;

  SELECT * INTO mark FROM not_now n
  WHERE n.user_id = listener AND n.microgenre_id = before.microgenre_id AND n.song_id = song AND n.pass = pass_row.pass;
  IF NOT restored AND mark.let_go_at = '-infinity' THEN
    PERFORM functions.remove_import_mark(mark);
  END IF;
  UPDATE listener_genres g SET
    ratings = g.ratings + rating_step,
    bangers = g.bangers + banger_step,
    -- A song that was let go before its rating is still done.
    done = g.done - (before.pass = pass_row.pass AND mark.let_go_at IS NULL)::integer
  WHERE g.user_id = listener AND g.microgenre_id = before.microgenre_id;
  -- A song that was put off before its rating is put off again.
  IF before.pass = pass_row.pass AND mark.user_id IS NULL THEN
    PERFORM functions.return_song(pass_row, song, before.dealt_number, before.dealt_reason);
  END IF;

  UPDATE listener_stats s SET
    total_ratings = s.total_ratings + rating_step,
    total_bangers = s.total_bangers + banger_step,
    -- An imported one was in no streak.
    streak = greatest(s.streak - (before.pass > 0)::integer, 0),
    genres_rated = s.genres_rated - (pass_row.ratings + rating_step = 0 AND rating_step < 0)::integer
  WHERE s.user_id = listener;
  RETURN true;
END
$$;
