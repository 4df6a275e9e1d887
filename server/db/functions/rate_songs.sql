-- Rates one song for each of several listeners, in one transaction and, after their rows are locked, one statement. Undo,
-- removal, not now, restart and deletion lock the listener's row first, too, so that the actions of one listener in several
-- tabs run one after the other. Left out is what rate_song stores alone or refuses: a listener who is locked, has no dealt
-- song left or no account, and a song of another microgenre. `ahead_count` dealt songs are left.
CREATE FUNCTION functions.rate_songs(listeners bigint[], genres bigint[], songs bigint[], verdicts boolean[],
  seconds real[], sources text[], zones text[])
RETURNS TABLE (place integer, rated_at text, room_ratings integer, room_bangers integer, total_ratings integer,
  total_bangers integer, daily_ratings integer, daily_bangers integer, unlocked boolean, ahead_count integer,
  is_first boolean, can_lean boolean, put_off boolean, reason smallint, song_id bigint, title text, artist text, year integer, album_art text,
  youtube_id text, youtube_blocked boolean, spotify_id text, preview_url text, deezer_track_id text, release_mbid text,
  duration_ms integer, microgenre_id bigint, microgenre text, color text, audio jsonb)
LANGUAGE plpgsql ROWS 16
SET plan_cache_mode = force_generic_plan SET join_collapse_limit = 1
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off SET enable_bitmapscan = off
AS $$
#variable_conflict use_column
DECLARE
  locked bigint[];
BEGIN
  locked := ARRAY(SELECT s.user_id FROM listener_stats s WHERE s.user_id = ANY (listeners) FOR NO KEY UPDATE SKIP LOCKED);
  RETURN QUERY
  WITH step AS MATERIALIZED (
    SELECT * FROM functions.rating_steps(NULL, listeners, genres, songs, verdicts, seconds, sources, zones, locked)
    WHERE next_song IS NOT NULL
  ), rating AS (
    INSERT INTO ratings AS old (user_id, song_id, microgenre_id, banger, pass, rated_at, heard_seconds, heard_source,
      dealt_number, dealt_reason)
    SELECT s.listener, s.song, s.genre, s.banger, s.pass, s.rated_at, s.heard_seconds, s.heard_source, s.dealt_number,
      s.dealt_reason
    FROM step s WHERE s.is_change
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
      previous_dealt_reason = CASE old.pass WHEN excluded.pass THEN old.previous_dealt_reason ELSE old.dealt_reason END
  ), change AS (
    INSERT INTO rating_changes (user_id, song_id, microgenre_id, old_banger, old_rated_at, old_heard, old_dealt,
      new_banger, new_rated_at, new_heard, new_dealt)
    SELECT s.listener, s.song, s.genre, s.old_banger, s.old_rated_at, s.old_heard, s.old_dealt, s.banger, s.rated_at,
      s.new_heard, s.new_dealt
    FROM step s WHERE s.is_change
  ), stats AS (
    UPDATE listener_stats u SET taste_run = s.taste_run, t1 = s.t1, t2 = s.t2, t3 = s.t3, t4 = s.t4, lenience = s.lenience,
      total_ratings = s.total_ratings, total_bangers = s.total_bangers, streak = s.streak, genres_rated = s.genres_rated
    FROM step s WHERE s.is_change AND u.user_id = s.listener
  ), pass AS (
    UPDATE listener_genres g SET ratings = g.ratings + s.rating_step, bangers = s.genre_bangers, done = g.done + s.done_step,
      ahead = s.ahead, ahead_numbers = s.ahead_numbers, ahead_reasons = s.ahead_reasons,
      lean_song_id = CASE WHEN s.banger THEN g.lean_song_id ELSE nullif(g.lean_song_id, s.song) END
    FROM step s WHERE s.is_change AND g.user_id = s.listener AND g.microgenre_id = s.genre
  ), award AS (
    -- Achievements whose threshold this rating reaches. They are never withdrawn (community-13).
    INSERT INTO achievements (user_id, type, scope, metadata)
    SELECT s.listener, rule.type, CASE rule.counter WHEN 'genre_bangers' THEN s.genre ELSE 0 END,
      CASE rule.counter WHEN 'genre_bangers' THEN jsonb_build_object('microgenreName', m.name) ELSE '{}' END
    FROM step s
    CROSS JOIN achievement_rules rule
    JOIN microgenres m ON m.id = s.genre
    WHERE s.is_change AND CASE rule.counter
      WHEN 'bangers' THEN rule.threshold > s.total_bangers - s.banger_step AND rule.threshold <= s.total_bangers
      WHEN 'ratings' THEN rule.threshold > s.total_ratings - s.rating_step AND rule.threshold <= s.total_ratings
      WHEN 'streak' THEN rule.threshold > s.streak - s.streak_step AND rule.threshold <= s.streak
      WHEN 'genres' THEN rule.threshold > s.genres_rated - s.genre_step AND rule.threshold <= s.genres_rated
      WHEN 'genre_bangers' THEN rule.threshold > s.genre_bangers - s.banger_step AND rule.threshold <= s.genre_bangers
    END
    ON CONFLICT DO NOTHING
    RETURNING user_id
  )
  SELECT s.place, functions.rating_time(s.rated_at), s.room_ratings, s.room_bangers, s.total_ratings, s.total_bangers,
    s.daily_ratings, s.daily_bangers, s.unlocked OR s.listener IN (SELECT a.user_id FROM award a),
    cardinality(s.ahead), s.is_first, s.can_lean, false, s.next_reason, n.id, n.title, n.artist, n.year, n.album_art, n.youtube_id,
    coalesce(n.blocked_video_id = n.youtube_id, false), n.spotify_id,
    CASE WHEN n.preview_expires_at > now() THEN n.preview_url END, n.deezer_track_id, n.release_mbid, n.duration_ms,
    n.microgenre_id, m.name, m.color,
    CASE WHEN n.blocked_audio_url IS DISTINCT FROM n.audio->>'url' THEN n.audio END
  FROM step s
  CROSS JOIN LATERAL (SELECT o.* FROM songs o WHERE o.id = s.next_song LIMIT 1) n
  CROSS JOIN LATERAL (SELECT g.name, g.color FROM microgenres g WHERE g.id = n.microgenre_id LIMIT 1) m;
END
$$;
