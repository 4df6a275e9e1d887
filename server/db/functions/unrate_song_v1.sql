-- unrate_song_v2 without the time of the rating. Only servers of the previous version call it.
CREATE OR REPLACE FUNCTION unrate_song_v1(listener bigint, song bigint, bring_back boolean)
RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  before ratings%ROWTYPE;
  pass_row listener_genres%ROWTYPE;
  restored boolean;
  banger_step integer;
  rating_step integer;
BEGIN
  PERFORM FROM listener_stats s WHERE s.user_id = listener FOR UPDATE;
  SELECT * INTO before FROM ratings r WHERE r.user_id = listener AND r.song_id = song;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  SELECT * INTO pass_row FROM listener_genres g
  WHERE g.user_id = listener AND g.microgenre_id = before.microgenre_id;

  restored := bring_back AND before.previous_pass IS NOT NULL;
  IF restored THEN
    UPDATE ratings r SET banger = r.previous_banger, pass = r.previous_pass, rated_at = r.previous_rated_at,
      heard_seconds = r.previous_heard_seconds, heard_source = r.previous_heard_source,
      previous_banger = NULL, previous_pass = NULL, previous_rated_at = NULL,
      previous_heard_seconds = NULL, previous_heard_source = NULL
    WHERE r.user_id = listener AND r.song_id = song;
    rating_step := 0;
    banger_step := before.previous_banger::integer - before.banger::integer;
    INSERT INTO rating_changes (user_id, song_id, microgenre_id, old_banger, old_rated_at, old_heard,
      new_banger, new_rated_at, new_heard)
    VALUES (listener, song, before.microgenre_id, before.banger, before.rated_at, before.heard_source IS NOT NULL,
      before.previous_banger, before.previous_rated_at, before.previous_heard_source IS NOT NULL);
  ELSE
    DELETE FROM ratings r WHERE r.user_id = listener AND r.song_id = song;
    rating_step := -1;
    banger_step := -(before.banger::integer);
    INSERT INTO rating_changes (user_id, song_id, microgenre_id, old_banger, old_rated_at, old_heard)
    VALUES (listener, song, before.microgenre_id, before.banger, before.rated_at, before.heard_source IS NOT NULL);
  END IF;

  UPDATE listener_genres g SET
    ratings = g.ratings + rating_step,
    bangers = g.bangers + banger_step,
    pass_position = CASE WHEN before.pass = g.pass
      THEN least(g.pass_position, (SELECT place_of_song(g.pass_seed, g.pass_size, s.seq) FROM songs s WHERE s.id = song))
      ELSE g.pass_position END
  WHERE g.user_id = listener AND g.microgenre_id = before.microgenre_id;

  UPDATE listener_stats s SET
    total_ratings = s.total_ratings + rating_step,
    total_bangers = s.total_bangers + banger_step,
    streak = greatest(s.streak - 1, 0),
    genres_rated = s.genres_rated - (pass_row.ratings + rating_step = 0 AND rating_step < 0)::integer
  WHERE s.user_id = listener;
  RETURN true;
END
$$;
