-- What a rating of each of these listeners changes, and what its answer says, read by one statement for all of them. The
-- caller holds the listeners' locks; those who are not in `locked`, and songs that are not of the microgenre, are left out.
-- Steps are what to add to a counter; an unchanged repeat (discover-14) has `is_change` false and steps of 0. Figures are
-- those after the rating: `room` is what all listeners think of the song, with the listener's own changes that the roll-up
-- has not moved yet, so the rating counts exactly once; those of others lag (community-5).
-- Each table is looked up by its key for one row at a time: LIMIT and scalar subqueries keep PostgreSQL from joining or
-- hashing whole tables, which would be wrong as soon as they grow. `only_listener` is the one listener, if there is one: a
-- cluster finds the worker by it.
CREATE FUNCTION functions.rating_steps(only_listener bigint, listeners bigint[], genres bigint[], songs bigint[], verdicts boolean[],
  seconds real[], sources text[], zones text[], locked bigint[],
  rated_now timestamptz DEFAULT clock_timestamp())
RETURNS TABLE (place integer, listener bigint, genre bigint, song bigint, banger boolean, heard_seconds real,
  heard_source text, pass integer, rated_at timestamptz, is_change boolean, rating_step integer, banger_step integer,
  streak_step integer, genre_step integer, done_step integer, dealt_number double precision, dealt_reason smallint,
  old_banger boolean, old_rated_at timestamptz, old_heard boolean, old_dealt boolean, new_heard boolean,
  new_dealt boolean, ahead bigint[],
  ahead_numbers double precision[], ahead_reasons smallint[], taste_run integer, t1 real, t2 real, t3 real, t4 real,
  lenience real, total_ratings integer, total_bangers integer, streak integer, genres_rated integer,
  genre_bangers integer, room_ratings integer, room_bangers integer, daily_ratings integer, daily_bangers integer,
  unlocked boolean, next_song bigint, next_reason smallint, can_lean boolean,
  is_first boolean)
LANGUAGE plpgsql STABLE ROWS 16
SET plan_cache_mode = force_generic_plan SET join_collapse_limit = 1
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off SET enable_bitmapscan = off
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT b.place::integer, b.listener, b.genre, b.song, b.banger, b.seconds, b.source, b.pass,
    CASE WHEN b.is_change THEN rated_now ELSE b.old_rated_at END, b.is_change,
    b.rating_step, b.banger_step, b.streak_step, b.genre_step,
    -- A song that was skipped counts as done already.
    b.streak_step - (b.streak_step = 1 AND mark.let_go_at IS NOT NULL)::integer,
    dealt.number, dealt.reason, b.old_banger, b.old_rated_at, b.old_source IS NOT NULL,
    b.old_source IS NOT NULL AND b.old_reason IS NOT NULL, b.source IS NOT NULL,
    b.source IS NOT NULL AND dealt.reason IS NOT NULL,
    rest.ahead, rest.numbers, rest.reasons,
    coalesce(b.taste_run, traits.run),
    greatest(-4, least(4, b.t1 + coalesce(traits.step * traits.t1, 0)))::real,
    greatest(-4, least(4, b.t2 + coalesce(traits.step * traits.t2, 0)))::real,
    greatest(-4, least(4, b.t3 + coalesce(traits.step * traits.t3, 0)))::real,
    greatest(-4, least(4, b.t4 + coalesce(traits.step * traits.t4, 0)))::real,
    (b.lenience + coalesce((b.banger::integer - traits.share - b.lenience) / (b.total_ratings + 4), 0))::real,
    b.total_ratings + b.rating_step, b.total_bangers + b.banger_step, b.streak + b.streak_step,
    b.genres_rated + b.genre_step, b.genre_bangers + b.banger_step,
    (coalesce(total.ratings, 0) + waiting.ratings + b.rating_step)::integer,
    (coalesce(total.bangers, 0) + waiting.bangers + b.banger_step)::integer,
    coalesce(today.ratings + b.is_change::integer - today.replaced, 0)::integer,
    coalesce(today.bangers + (b.is_change AND b.banger)::integer - (b.old_banger IS TRUE)::integer * today.replaced,
      0)::integer,
    (
      SELECT true FROM achievements a
      WHERE a.user_id = b.listener AND (only_listener IS NULL OR a.user_id = only_listener) AND a.announced_at IS NULL
      LIMIT 1
    ) IS NOT NULL,
    next.id, CASE WHEN next.id IS NOT NULL THEN rest.reasons[1] END,
    -- What lean_towards needs.
    b.banger AND traits.run IS NOT NULL AND b.song_choice <> 'shuffle',
    b.is_first
  FROM (
    SELECT r.*, st.total_ratings, st.total_bangers, st.streak, st.genres_rated, st.taste_run, st.t1, st.t2, st.t3, st.t4,
      st.lenience, st.song_choice, g.pass, g.bangers AS genre_bangers, g.ahead, g.ahead_numbers, g.ahead_reasons,
      array_position(g.ahead, r.song) AS at, old.banger AS old_banger,
      functions.counted_at(old.pass, old.rated_at) AS old_rated_at,
      old.heard_source AS old_source, old.dealt_number AS old_number, old.dealt_reason AS old_reason, k.in_pass,
      k.is_change, date_trunc('day', rated_now, r.zone) AS day_start, k.is_new::integer AS rating_step,
      -- No rating of an earlier pass; a repeat says the same.
      k.is_new OR k.in_pass AND old.previous_pass IS NULL AS is_first,
      (k.is_new AND g.ratings = 0)::integer AS genre_step,
      r.banger::integer - coalesce(old.banger, false)::integer AS banger_step, (NOT k.in_pass)::integer AS streak_step
    FROM unnest(listeners, genres, songs, verdicts, seconds, sources, zones) WITH ORDINALITY
      AS r (listener, genre, song, banger, seconds, source, zone, place)
    CROSS JOIN LATERAL (
      SELECT st.* FROM listener_stats st
      WHERE st.user_id = r.listener AND (only_listener IS NULL OR st.user_id = only_listener) LIMIT 1
    ) st
    CROSS JOIN LATERAL (SELECT FROM songs s WHERE s.id = r.song AND s.microgenre_id = r.genre LIMIT 1) s
    CROSS JOIN LATERAL (
      SELECT g.* FROM listener_genres g
      WHERE g.user_id = r.listener AND (only_listener IS NULL OR g.user_id = only_listener) AND g.microgenre_id = r.genre
      LIMIT 1
    ) g
    LEFT JOIN LATERAL (
      SELECT old.* FROM ratings old
      WHERE old.user_id = r.listener AND (only_listener IS NULL OR old.user_id = only_listener) AND old.song_id = r.song
      LIMIT 1
    ) old ON true
    CROSS JOIN LATERAL (
      SELECT old.user_id IS NULL AS is_new, coalesce(old.pass = g.pass, false) AS in_pass,
        (old.pass = g.pass AND old.banger = r.banger) IS NOT TRUE AS is_change
    ) k
    WHERE r.listener = ANY (locked)
    OFFSET 0
  ) b
  LEFT JOIN LATERAL (
    SELECT n.dealt_number, n.dealt_reason, n.let_go_at FROM not_now n
    WHERE n.user_id = b.listener AND (only_listener IS NULL OR n.user_id = only_listener) AND n.microgenre_id = b.genre
      AND n.song_id = b.song AND n.pass = b.pass
    LIMIT 1
  ) mark ON b.at IS NULL AND NOT b.in_pass
  -- How the song was dealt, so that undo brings it back there (discover-49).
  CROSS JOIN LATERAL (
    SELECT CASE WHEN b.at IS NOT NULL THEN b.ahead_numbers[b.at] WHEN b.in_pass THEN b.old_number
        ELSE mark.dealt_number END AS number,
      CASE WHEN b.at IS NOT NULL THEN b.ahead_reasons[b.at] WHEN b.in_pass THEN b.old_reason
        ELSE mark.dealt_reason END AS reason
  ) dealt
  CROSS JOIN LATERAL (
    SELECT CASE WHEN b.at IS NULL THEN b.ahead ELSE b.ahead[:b.at - 1] || b.ahead[b.at + 1:] END AS ahead,
      CASE WHEN b.at IS NULL THEN b.ahead_numbers
        ELSE b.ahead_numbers[:b.at - 1] || b.ahead_numbers[b.at + 1:] END AS numbers,
      CASE WHEN b.at IS NULL THEN b.ahead_reasons
        ELSE b.ahead_reasons[:b.at - 1] || b.ahead_reasons[b.at + 1:] END AS reasons
  ) rest
  -- The taste moves one step towards what the rating says beyond the song's share (discover-61). No traits are found
  -- before the first run of the learner. Who has no taste yet begins in the newest run.
  LEFT JOIN LATERAL (
    SELECT q.run, q.share, q.t1, q.t2, q.t3, q.t4,
      (b.banger::integer - q.share - b.lenience - q.t1 * b.t1 - q.t2 * b.t2 - q.t3 * b.t3 - q.t4 * b.t4)
        / (3 + q.t1 ^ 2 + q.t2 ^ 2 + q.t3 ^ 2 + q.t4 ^ 2) AS step
    FROM song_traits q
    WHERE q.song_id = b.song AND q.run = coalesce(b.taste_run, q.run)
    ORDER BY q.run DESC LIMIT 1
  ) traits ON b.source IS NOT NULL AND dealt.reason IS NOT NULL
  LEFT JOIN LATERAL (SELECT t.ratings, t.bangers FROM song_totals t WHERE t.song_id = b.song LIMIT 1) total ON true
  CROSS JOIN LATERAL (
    SELECT count(c.new_banger) - count(c.old_banger) AS ratings,
      count(*) FILTER (WHERE c.new_banger) - count(*) FILTER (WHERE c.old_banger) AS bangers
    FROM rating_changes c
    WHERE c.user_id = b.listener AND (only_listener IS NULL OR c.user_id = only_listener) AND c.song_id = b.song
  ) waiting
  LEFT JOIN LATERAL (
    SELECT count(*) AS ratings, count(*) FILTER (WHERE d.banger) AS bangers,
      coalesce(b.is_change AND b.old_rated_at >= b.day_start, false)::integer AS replaced
    FROM (
      SELECT r.banger FROM ratings r
      WHERE r.user_id = b.listener AND (only_listener IS NULL OR r.user_id = only_listener) AND r.rated_at > '-infinity'
        AND r.rated_at >= b.day_start
      -- Only for this order, the index by time is the cheaper one to a planner that takes the table for empty.
      ORDER BY r.rated_at
    ) d
  ) today ON b.zone IS NOT NULL
  LEFT JOIN LATERAL (
    SELECT o.id FROM songs o WHERE o.id = rest.ahead[1] AND o.retired_at IS NULL LIMIT 1
  ) next ON (
    SELECT r.song_id FROM ratings r
    WHERE r.user_id = b.listener AND (only_listener IS NULL OR r.user_id = only_listener) AND r.song_id = rest.ahead[1]
      AND r.pass = b.pass
  ) IS NULL AND (
    SELECT n.song_id FROM not_now n
    WHERE n.user_id = b.listener AND (only_listener IS NULL OR n.user_id = only_listener)
      AND n.microgenre_id = b.genre AND n.song_id = rest.ahead[1] AND n.pass = b.pass
  ) IS NULL;
END
$$;
