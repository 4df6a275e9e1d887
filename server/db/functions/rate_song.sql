-- Like rate_songs, for one listener: waits for the lock, begins the pass if there is none, and writes by statements of one
-- row, which a cluster can plan for the listener's worker. When no dealt song is left, some are dealt in the call, or the
-- next one is one that was put off. No row is returned for what cannot be stored. `given_at`: when it was rated, if not now.
CREATE FUNCTION functions.rate_song(listener bigint, genre bigint, song bigint, verdict boolean, seconds real,
  source text, zone text, given_at timestamptz DEFAULT NULL)
RETURNS TABLE (place integer, rated_at text, room_ratings integer, room_bangers integer, total_ratings integer,
  total_bangers integer, daily_ratings integer, daily_bangers integer, unlocked boolean, ahead_count integer,
  is_first boolean, can_lean boolean, put_off boolean, reason smallint, song_id bigint, title text, artist text, year integer, album_art text,
  youtube_id text, youtube_blocked boolean, spotify_id text, preview_url text, deezer_track_id text, release_mbid text,
  duration_ms integer, microgenre_id bigint, microgenre text, color text, audio jsonb)
LANGUAGE plpgsql ROWS 1
SET plan_cache_mode = force_generic_plan SET join_collapse_limit = 1
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off SET enable_bitmapscan = off
AS $$
#variable_conflict use_column
DECLARE
  step record;
  award record;
BEGIN
  PERFORM FROM songs s WHERE s.id = song AND s.microgenre_id = genre;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  PERFORM FROM listener_stats s WHERE s.user_id = listener FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  PERFORM functions.begin_pass(listener, genre);
  SELECT * INTO step FROM functions.rating_steps(listener, ARRAY[listener], ARRAY[genre], ARRAY[song], ARRAY[verdict],
    ARRAY[seconds], ARRAY[source], ARRAY[zone], ARRAY[listener], coalesce(given_at, clock_timestamp()));

  IF step.is_change THEN
    INSERT INTO ratings AS old (user_id, song_id, microgenre_id, banger, pass, rated_at, heard_seconds, heard_source,
      dealt_number, dealt_reason)
    VALUES (listener, song, genre, verdict, step.pass, step.rated_at, seconds, source, step.dealt_number, step.dealt_reason)
    ON CONFLICT (user_id, song_id) DO UPDATE SET
      banger = excluded.banger,
      pass = excluded.pass,
      rated_at = excluded.rated_at,
      heard_seconds = excluded.heard_seconds,
      heard_source = excluded.heard_source,
      dealt_number = excluded.dealt_number,
      dealt_reason = excluded.dealt_reason,
      -- What undo restores: the rating of an earlier pass.
      previous_banger = CASE old.pass WHEN excluded.pass THEN old.previous_banger ELSE old.banger END,
      previous_pass = CASE old.pass WHEN excluded.pass THEN old.previous_pass ELSE old.pass END,
      previous_rated_at = CASE old.pass WHEN excluded.pass THEN old.previous_rated_at ELSE old.rated_at END,
      previous_heard_seconds = CASE old.pass WHEN excluded.pass THEN old.previous_heard_seconds ELSE old.heard_seconds END,
      previous_heard_source = CASE old.pass WHEN excluded.pass THEN old.previous_heard_source ELSE old.heard_source END,
      previous_dealt_reason = CASE old.pass WHEN excluded.pass THEN old.previous_dealt_reason ELSE old.dealt_reason END;
    INSERT INTO rating_changes (user_id, song_id, microgenre_id, old_banger, old_rated_at, old_heard, old_dealt,
      new_banger, new_rated_at, new_heard, new_dealt)
    VALUES (listener, song, genre, step.old_banger, step.old_rated_at, step.old_heard, step.old_dealt, verdict,
      step.rated_at, step.new_heard, step.new_dealt);
    UPDATE listener_stats u SET taste_run = step.taste_run, t1 = step.t1, t2 = step.t2, t3 = step.t3, t4 = step.t4,
      lenience = step.lenience, total_ratings = step.total_ratings, total_bangers = step.total_bangers,
      streak = step.streak, genres_rated = step.genres_rated
    WHERE u.user_id = listener;
    UPDATE listener_genres g SET ratings = g.ratings + step.rating_step, bangers = step.genre_bangers,
      done = g.done + step.done_step, ahead = step.ahead, ahead_numbers = step.ahead_numbers,
      ahead_reasons = step.ahead_reasons,
      lean_song_id = CASE WHEN verdict THEN g.lean_song_id ELSE nullif(g.lean_song_id, song) END
    WHERE g.user_id = listener AND g.microgenre_id = genre;
    FOR award IN
      SELECT rule.type, rule.counter = 'genre_bangers' AS is_in_genre, m.name
      FROM achievement_rules rule JOIN microgenres m ON m.id = genre
      WHERE CASE rule.counter
      WHEN 'bangers' THEN rule.threshold > step.total_bangers - step.banger_step AND rule.threshold <= step.total_bangers
      WHEN 'ratings' THEN rule.threshold > step.total_ratings - step.rating_step AND rule.threshold <= step.total_ratings
      WHEN 'streak' THEN rule.threshold > step.streak - step.streak_step AND rule.threshold <= step.streak
      WHEN 'genres' THEN rule.threshold > step.genres_rated - step.genre_step AND rule.threshold <= step.genres_rated
      WHEN 'genre_bangers' THEN rule.threshold > step.genre_bangers - step.banger_step AND rule.threshold <= step.genre_bangers
    END
    LOOP
      INSERT INTO achievements (user_id, type, scope, metadata)
      VALUES (listener, award.type, CASE WHEN award.is_in_genre THEN genre ELSE 0 END,
        CASE WHEN award.is_in_genre THEN jsonb_build_object('microgenreName', award.name) ELSE '{}' END)
      ON CONFLICT DO NOTHING;
      step.unlocked := step.unlocked OR FOUND;
    END LOOP;
  END IF;
  RETURN QUERY
    SELECT 1, functions.rating_time(step.rated_at), step.room_ratings, step.room_bangers, step.total_ratings,
      step.total_bangers, step.daily_ratings, step.daily_bangers, step.unlocked, cardinality(step.ahead),
      step.is_first, step.can_lean, n.*
    FROM (SELECT 1) AS one LEFT JOIN functions.next_songs(listener, genre, 1) n ON true;
END
$$;
