-- An undo that was sent twice took back two ratings: after a restart the second one took the rating of the earlier pass
-- that the first had brought back. The answer to a rating now tells its time, and an undo says which one it means.

-- The time of a rating to the microsecond, as answers tell it.
CREATE FUNCTION rating_time_v1(at timestamptz) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;
--> statement-breakpoint
-- As rate_song_v1, and gives the time of the rating, also of one that was there already.
CREATE FUNCTION rate_song_v2(listener bigint, genre bigint, song bigint, is_banger boolean)
RETURNS TABLE (outcome text, next_song_id bigint, rated_at text)
LANGUAGE plpgsql ROWS 1 SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  stats listener_stats%ROWTYPE;
  pass_row listener_genres%ROWTYPE;
  before ratings%ROWTYPE;
  song_genre bigint;
  rated_now timestamptz;
  is_new boolean;
  in_pass boolean;
  banger_step integer;
  rating_step integer;
  streak_step integer;
  genre_step integer;
  next_place integer;
BEGIN
  SELECT s.microgenre_id INTO song_genre FROM songs s WHERE s.id = song;
  IF song_genre IS NULL THEN
    RETURN QUERY SELECT 'unknown_song', NULL::bigint, NULL::text;
    RETURN;
  END IF;
  IF song_genre <> genre THEN
    RETURN QUERY SELECT 'wrong_microgenre', NULL::bigint, NULL::text;
    RETURN;
  END IF;

  SELECT * INTO stats FROM listener_stats s WHERE s.user_id = listener FOR UPDATE;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'unknown_listener', NULL::bigint, NULL::text;
    RETURN;
  END IF;

  SELECT * INTO pass_row FROM listener_genres g WHERE g.user_id = listener AND g.microgenre_id = genre;
  IF NOT FOUND THEN
    INSERT INTO listener_genres (user_id, microgenre_id, pass_seed, pass_size)
    SELECT listener, m.id, floor(random() * 2147483647)::integer, m.song_count
    FROM microgenres m WHERE m.id = genre
    -- next_songs_v1 may begin the same pass without the lock.
    ON CONFLICT (user_id, microgenre_id) DO UPDATE SET pass = listener_genres.pass
    RETURNING * INTO pass_row;
  END IF;

  SELECT * INTO before FROM ratings r WHERE r.user_id = listener AND r.song_id = song;
  is_new := NOT FOUND;
  in_pass := NOT is_new AND before.pass = pass_row.pass;

  -- An unchanged repeat writes nothing (D-34).
  IF NOT (in_pass AND before.banger = is_banger) THEN
    rated_now := clock_timestamp();
    rating_step := is_new::integer;
    banger_step := is_banger::integer - coalesce(before.banger, false)::integer;
    streak_step := (NOT in_pass)::integer;
    genre_step := (is_new AND pass_row.ratings = 0)::integer;

    INSERT INTO ratings (user_id, song_id, microgenre_id, banger, pass, rated_at)
    VALUES (listener, song, genre, is_banger, pass_row.pass, rated_now)
    ON CONFLICT (user_id, song_id) DO UPDATE SET
      banger = excluded.banger,
      pass = excluded.pass,
      rated_at = excluded.rated_at,
      previous_banger = CASE WHEN in_pass THEN ratings.previous_banger ELSE before.banger END,
      previous_pass = CASE WHEN in_pass THEN ratings.previous_pass ELSE before.pass END,
      previous_rated_at = CASE WHEN in_pass THEN ratings.previous_rated_at ELSE before.rated_at END;

    UPDATE listener_stats s SET
      total_ratings = s.total_ratings + rating_step,
      total_bangers = s.total_bangers + banger_step,
      streak = s.streak + streak_step,
      genres_rated = s.genres_rated + genre_step
    WHERE s.user_id = listener;

    -- What crosses a threshold with this rating. Once won, never taken back (D-52).
    INSERT INTO achievements (user_id, type, scope, metadata)
    SELECT listener, rule.type,
      CASE WHEN rule.counter = 'genre_bangers' THEN genre ELSE 0 END,
      CASE WHEN rule.counter = 'genre_bangers'
        THEN (SELECT jsonb_build_object('microgenreName', m.name) FROM microgenres m WHERE m.id = genre)
        ELSE '{}'::jsonb END
    FROM achievement_rules rule
    JOIN (VALUES
      ('bangers', stats.total_bangers, banger_step),
      ('ratings', stats.total_ratings, rating_step),
      ('streak', stats.streak, streak_step),
      ('genres', stats.genres_rated, genre_step),
      ('genre_bangers', pass_row.bangers, banger_step)
    ) AS counted (counter, was, step) ON counted.counter = rule.counter
    WHERE counted.was < rule.threshold AND rule.threshold <= counted.was + counted.step
    ON CONFLICT DO NOTHING;

    INSERT INTO rating_changes (user_id, song_id, microgenre_id, old_banger, old_rated_at, new_banger, new_rated_at)
    VALUES (listener, song, genre, before.banger, before.rated_at, is_banger, rated_now);
  END IF;

  SELECT u.place, u.song_id INTO next_place, next_song_id
  FROM unrated_songs_v1(listener, genre, pass_row.pass, pass_row.pass_seed, pass_row.pass_size,
                        pass_row.pass_position, 1) u;
  -- At the end the position stays: one beyond the songs seen just now could pass over one added meanwhile.
  IF next_place IS NULL THEN
    next_place := pass_row.pass_position;
  END IF;

  IF rated_now IS NOT NULL OR next_place <> pass_row.pass_position THEN
    UPDATE listener_genres g SET
      ratings = g.ratings + coalesce(rating_step, 0),
      bangers = g.bangers + coalesce(banger_step, 0),
      pass_position = next_place
    WHERE g.user_id = listener AND g.microgenre_id = genre;
  END IF;

  outcome := 'rated';
  rated_at := rating_time_v1(coalesce(rated_now, before.rated_at));
  RETURN NEXT;
END
$$;
--> statement-breakpoint
-- Takes a rating back. `bring_back` restores the one that it replaced in an earlier pass (undo); without
-- it the song is unrated (removal from the library). The song comes again in this pass, at its place.
-- An undo takes back only the rating of the time `given_at`; without a time, only one of this pass.
-- False when there is nothing to take back; an undo whose rating is gone already is true.
CREATE FUNCTION unrate_song_v2(listener bigint, song bigint, bring_back boolean, given_at text)
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
  -- The rating that was to be undone is gone: this call came before, or another one.
  IF bring_back AND given_at IS NOT NULL AND rating_time_v1(before.rated_at) IS DISTINCT FROM given_at THEN
    RETURN true;
  END IF;
  IF before.user_id IS NULL THEN
    RETURN false;
  END IF;
  SELECT * INTO pass_row FROM listener_genres g
  WHERE g.user_id = listener AND g.microgenre_id = before.microgenre_id;
  -- Without a time: what is of an earlier pass stood there before, or was brought back already.
  IF bring_back AND given_at IS NULL AND before.pass <> pass_row.pass THEN
    RETURN false;
  END IF;

  restored := bring_back AND before.previous_pass IS NOT NULL;
  IF restored THEN
    UPDATE ratings r SET banger = r.previous_banger, pass = r.previous_pass, rated_at = r.previous_rated_at,
      previous_banger = NULL, previous_pass = NULL, previous_rated_at = NULL
    WHERE r.user_id = listener AND r.song_id = song;
    rating_step := 0;
    banger_step := before.previous_banger::integer - before.banger::integer;
    INSERT INTO rating_changes (user_id, song_id, microgenre_id, old_banger, old_rated_at, new_banger, new_rated_at)
    VALUES (listener, song, before.microgenre_id, before.banger, before.rated_at,
            before.previous_banger, before.previous_rated_at);
  ELSE
    DELETE FROM ratings r WHERE r.user_id = listener AND r.song_id = song;
    rating_step := -1;
    banger_step := -(before.banger::integer);
    INSERT INTO rating_changes (user_id, song_id, microgenre_id, old_banger, old_rated_at)
    VALUES (listener, song, before.microgenre_id, before.banger, before.rated_at);
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
