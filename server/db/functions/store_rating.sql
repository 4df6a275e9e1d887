-- Rates a song. Returns the next song, whether that was put off before and why it is dealt, and the time of the rating,
-- even if the rating existed already. `seconds` and `source` say what of it was heard, null for nothing. Undo, removal, not now and restart
-- lock the listener's stats row first, too, so that the actions of one listener in several tabs run one after
-- the other. One single statement would not do: its snapshot is taken before it waits for the lock, so two tabs that
-- rate the same song would count it twice.
CREATE FUNCTION functions.store_rating(listener bigint, genre bigint, song bigint, is_banger boolean,
  seconds real, source text)
RETURNS TABLE (outcome text, next_song_id bigint, next_put_off boolean, next_reason smallint, rated_at text)
LANGUAGE plpgsql ROWS 1 SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  stats listener_stats%ROWTYPE;
  pass_row listener_genres%ROWTYPE;
  before ratings%ROWTYPE;
  song_genre bigint;
  genre_size integer;
  rated_now timestamptz;
  is_new boolean;
  in_pass boolean;
  banger_step integer;
  rating_step integer;
  streak_step integer;
  genre_step integer;
  at integer;
  number double precision;
  reason smallint;
  let_go boolean := false;
  coming bigint[];
  traits song_traits%ROWTYPE;
  award record;
  metadata jsonb;
  step double precision := 0;
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

  SELECT * INTO stats FROM listener_stats s WHERE s.user_id = listener FOR UPDATE;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'unknown_listener', NULL::bigint, NULL::boolean, NULL::smallint, NULL::text;
    RETURN;
  END IF;

  SELECT * INTO pass_row FROM listener_genres g WHERE g.user_id = listener AND g.microgenre_id = genre;
  IF NOT FOUND THEN
    SELECT m.song_count INTO genre_size FROM microgenres m WHERE m.id = genre;
    INSERT INTO listener_genres (user_id, microgenre_id, pass_seed, pass_size)
    VALUES (listener, genre, floor(random() * 2147483647)::integer, genre_size)
    -- Another call may have begun the same pass meanwhile.
    ON CONFLICT (user_id, microgenre_id) DO UPDATE SET pass = listener_genres.pass
    RETURNING * INTO pass_row;
  END IF;

  SELECT * INTO before FROM ratings r WHERE r.user_id = listener AND r.song_id = song;
  is_new := NOT FOUND;
  in_pass := NOT is_new AND before.pass = pass_row.pass;

  -- An unchanged repeat writes nothing (discover-14).
  IF NOT (in_pass AND before.banger = is_banger) THEN
    rated_now := clock_timestamp();
    rating_step := is_new::integer;
    banger_step := is_banger::integer - coalesce(before.banger, false)::integer;
    streak_step := (NOT in_pass)::integer;
    genre_step := (is_new AND pass_row.ratings = 0)::integer;

    -- How the song was dealt, so that undo brings it back there (discover-49).
    at := array_position(pass_row.ahead, song);
    IF at IS NOT NULL THEN
      number := pass_row.ahead_numbers[at];
      reason := pass_row.ahead_reasons[at];
      pass_row.ahead := pass_row.ahead[:at - 1] || pass_row.ahead[at + 1:];
      pass_row.ahead_numbers := pass_row.ahead_numbers[:at - 1] || pass_row.ahead_numbers[at + 1:];
      pass_row.ahead_reasons := pass_row.ahead_reasons[:at - 1] || pass_row.ahead_reasons[at + 1:];
    ELSIF in_pass THEN
      number := before.dealt_number;
      reason := before.dealt_reason;
    ELSE
      SELECT n.dealt_number, n.dealt_reason, n.let_go_at IS NOT NULL INTO number, reason, let_go FROM not_now n
      WHERE n.user_id = listener AND n.microgenre_id = genre AND n.song_id = song AND n.pass = pass_row.pass;
    END IF;

    INSERT INTO ratings (user_id, song_id, microgenre_id, banger, pass, rated_at, heard_seconds, heard_source,
      dealt_number, dealt_reason)
    VALUES (listener, song, genre, is_banger, pass_row.pass, rated_now, seconds, source, number, reason)
    ON CONFLICT (user_id, song_id) DO UPDATE SET
      banger = excluded.banger,
      pass = excluded.pass,
      rated_at = excluded.rated_at,
      heard_seconds = excluded.heard_seconds,
      heard_source = excluded.heard_source,
      dealt_number = excluded.dealt_number,
      dealt_reason = excluded.dealt_reason,
      previous_banger = CASE WHEN in_pass THEN ratings.previous_banger ELSE before.banger END,
      previous_pass = CASE WHEN in_pass THEN ratings.previous_pass ELSE before.pass END,
      previous_rated_at = CASE WHEN in_pass THEN ratings.previous_rated_at ELSE before.rated_at END,
      previous_heard_seconds = CASE WHEN in_pass THEN ratings.previous_heard_seconds ELSE before.heard_seconds END,
      previous_heard_source = CASE WHEN in_pass THEN ratings.previous_heard_source ELSE before.heard_source END,
      previous_dealt_reason = CASE WHEN in_pass THEN ratings.previous_dealt_reason ELSE before.dealt_reason END;

    -- The taste moves one step towards what this rating says beyond the song's share (discover-61). No traits are found
    -- before the first run of the learner. Who has no taste yet begins in the newest run.
    IF source IS NOT NULL AND reason IS NOT NULL THEN
      SELECT * INTO traits FROM song_traits t
      WHERE t.song_id = song AND t.run = coalesce(stats.taste_run, t.run) ORDER BY t.run DESC LIMIT 1;
      IF FOUND THEN
        step := (is_banger::integer - traits.share - stats.lenience - traits.t1 * stats.t1 - traits.t2 * stats.t2
            - traits.t3 * stats.t3 - traits.t4 * stats.t4)
          / (3 + traits.t1 ^ 2 + traits.t2 ^ 2 + traits.t3 ^ 2 + traits.t4 ^ 2);
      END IF;
    END IF;

    UPDATE listener_stats s SET
      taste_run = coalesce(s.taste_run, traits.run),
      t1 = greatest(-4, least(4, s.t1 + step * coalesce(traits.t1, 0))),
      t2 = greatest(-4, least(4, s.t2 + step * coalesce(traits.t2, 0))),
      t3 = greatest(-4, least(4, s.t3 + step * coalesce(traits.t3, 0))),
      t4 = greatest(-4, least(4, s.t4 + step * coalesce(traits.t4, 0))),
      lenience = s.lenience + coalesce((is_banger::integer - traits.share - s.lenience) / (s.total_ratings + 4), 0),
      total_ratings = s.total_ratings + rating_step,
      total_bangers = s.total_bangers + banger_step,
      streak = s.streak + streak_step,
      genres_rated = s.genres_rated + genre_step
    WHERE s.user_id = listener;

    -- Awards achievements whose threshold this rating reaches. They are never withdrawn (community-13).
    FOR award IN
      SELECT rule.type, rule.counter = 'genre_bangers' AS is_in_genre
      FROM achievement_rules rule
      WHERE CASE rule.counter
        WHEN 'bangers' THEN stats.total_bangers < rule.threshold AND rule.threshold <= stats.total_bangers + banger_step
        WHEN 'ratings' THEN stats.total_ratings < rule.threshold AND rule.threshold <= stats.total_ratings + rating_step
        WHEN 'streak' THEN stats.streak < rule.threshold AND rule.threshold <= stats.streak + streak_step
        WHEN 'genres' THEN stats.genres_rated < rule.threshold AND rule.threshold <= stats.genres_rated + genre_step
        WHEN 'genre_bangers' THEN pass_row.bangers < rule.threshold AND rule.threshold <= pass_row.bangers + banger_step
      END
    LOOP
      metadata := '{}';
      IF award.is_in_genre THEN
        SELECT jsonb_build_object('microgenreName', m.name) INTO metadata FROM microgenres m WHERE m.id = genre;
      END IF;
      INSERT INTO achievements (user_id, type, scope, metadata)
      VALUES (listener, award.type, CASE WHEN award.is_in_genre THEN genre ELSE 0 END, metadata)
      ON CONFLICT DO NOTHING;
    END LOOP;

    INSERT INTO rating_changes (user_id, song_id, microgenre_id, old_banger, old_rated_at, old_heard, old_dealt,
      new_banger, new_rated_at, new_heard, new_dealt)
    VALUES (listener, song, genre, before.banger, before.rated_at, before.heard_source IS NOT NULL,
      before.heard_source IS NOT NULL AND before.dealt_reason IS NOT NULL,
      is_banger, rated_now, source IS NOT NULL, source IS NOT NULL AND reason IS NOT NULL);
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
    ratings = g.ratings + coalesce(rating_step, 0),
    bangers = g.bangers + coalesce(banger_step, 0),
    -- A song that was let go was done before.
    done = g.done + (rated_now IS NOT NULL AND NOT in_pass AND let_go IS NOT TRUE)::integer,
    pass_position = pass_row.pass_position,
    ahead = pass_row.ahead,
    ahead_numbers = pass_row.ahead_numbers,
    ahead_reasons = pass_row.ahead_reasons
  WHERE g.user_id = listener AND g.microgenre_id = genre AND (
    rated_now IS NOT NULL OR (g.pass_position, g.ahead) IS DISTINCT FROM (pass_row.pass_position, pass_row.ahead));

  outcome := 'rated';
  rated_at := functions.rating_time(coalesce(rated_now, before.rated_at));
  RETURN NEXT;
END
$$;
