-- Stores the verdicts of an import for songs that the listener has not rated (imports-20). The ratings have pass 0. A row
-- in not_now skips each song for the current pass and stores how it was dealt, which taking the import back and a later
-- rating restore. A skipped card leaves the hand when it would be dealt. The caller holds the listener's lock.
CREATE FUNCTION functions.import_ratings(listener bigint, import bigint, songs bigint[], verdicts boolean[],
  times timestamptz[])
RETURNS void
LANGUAGE plpgsql SET join_collapse_limit = 1 SET enable_seqscan = off
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off SET enable_bitmapscan = off
AS $$
DECLARE
  genre bigint;
  unrated bigint[];
BEGIN
  unrated := ARRAY(
    SELECT g.song FROM unnest(songs) AS g (song)
    WHERE NOT EXISTS (SELECT FROM ratings r WHERE r.user_id = listener AND r.song_id = g.song));
  FOR genre IN SELECT DISTINCT s.microgenre_id FROM songs s WHERE s.id = ANY (unrated) LOOP
    PERFORM functions.begin_pass(listener, genre);
  END LOOP;

  INSERT INTO ratings (user_id, song_id, microgenre_id, banger, pass, rated_at, import_id)
  SELECT listener, s.id, s.microgenre_id, g.verdict, 0, g.rated_at, import
  FROM unnest(songs, verdicts, times) AS g (song, verdict, rated_at) JOIN songs s ON s.id = g.song
  WHERE g.song = ANY (unrated);
  INSERT INTO rating_changes (user_id, song_id, microgenre_id, new_banger, new_rated_at)
  SELECT r.user_id, r.song_id, r.microgenre_id, r.banger, functions.counted_at(r.pass, r.rated_at)
  FROM ratings r WHERE r.user_id = listener AND r.song_id = ANY (unrated);
  UPDATE listener_genres g SET ratings = g.ratings + c.ratings, bangers = g.bangers + c.bangers, done = g.done + c.done
  FROM (
    SELECT r.microgenre_id, count(*) AS ratings, count(*) FILTER (WHERE r.banger) AS bangers,
      -- A song that was skipped counts as done already.
      count(*) - count(n.let_go_at) AS done
    FROM ratings r
    JOIN listener_genres p ON p.user_id = listener AND p.microgenre_id = r.microgenre_id
    LEFT JOIN not_now n ON n.user_id = listener AND n.microgenre_id = r.microgenre_id AND n.song_id = r.song_id
      AND n.pass = p.pass
    WHERE r.user_id = listener AND r.song_id = ANY (unrated) GROUP BY r.microgenre_id
  ) c
  WHERE g.user_id = listener AND g.microgenre_id = c.microgenre_id;
  INSERT INTO not_now AS n (user_id, microgenre_id, song_id, pass, put_off_at, let_go_at, dealt_number, dealt_reason)
  SELECT r.user_id, r.microgenre_id, r.song_id, p.pass, '-infinity', '-infinity',
    p.ahead_numbers[array_position(p.ahead, r.song_id)], p.ahead_reasons[array_position(p.ahead, r.song_id)]
  FROM ratings r JOIN listener_genres p ON p.user_id = listener AND p.microgenre_id = r.microgenre_id
  WHERE r.user_id = listener AND r.song_id = ANY (unrated)
  ON CONFLICT (user_id, microgenre_id, song_id) DO UPDATE SET
    pass = excluded.pass,
    put_off_at = CASE n.pass WHEN excluded.pass THEN n.put_off_at ELSE excluded.put_off_at END,
    let_go_at = coalesce(CASE n.pass WHEN excluded.pass THEN n.let_go_at END, excluded.let_go_at),
    dealt_number = CASE n.pass WHEN excluded.pass THEN n.dealt_number ELSE excluded.dealt_number END,
    dealt_reason = CASE n.pass WHEN excluded.pass THEN n.dealt_reason ELSE excluded.dealt_reason END;
  UPDATE listener_genres g SET (ahead, ahead_numbers, ahead_reasons) = (
    SELECT coalesce(array_agg(a.song ORDER BY a.place), '{}'), coalesce(array_agg(a.number ORDER BY a.place), '{}'),
      coalesce(array_agg(a.reason ORDER BY a.place), '{}')
    FROM unnest(g.ahead, g.ahead_numbers, g.ahead_reasons) WITH ORDINALITY AS a (song, number, reason, place)
    WHERE a.song <> ALL (unrated))
  WHERE g.user_id = listener AND g.ahead && unrated;
  UPDATE listener_stats s SET
    total_ratings = s.total_ratings + cardinality(unrated),
    total_bangers = s.total_bangers + (
      SELECT count(*) FROM ratings r WHERE r.user_id = listener AND r.song_id = ANY (unrated) AND r.banger),
    genres_rated = (SELECT count(*) FROM listener_genres g WHERE g.user_id = listener AND g.ratings > 0)
  WHERE s.user_id = listener;
END
$$;
