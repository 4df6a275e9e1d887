-- Takes back what import_ratings did with these songs (imports-27). What the listener said since stays, but undo no longer
-- brings the imported rating back. The caller holds the listener's lock.
CREATE FUNCTION functions.remove_imported(listener bigint, import bigint, songs bigint[]) RETURNS void
LANGUAGE plpgsql SET join_collapse_limit = 1 SET enable_seqscan = off
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off SET enable_bitmapscan = off
AS $$
DECLARE
  gone bigint[];
  mark not_now%ROWTYPE;
BEGIN
  gone := ARRAY(
    SELECT r.song_id FROM ratings r
    WHERE r.user_id = listener AND r.song_id = ANY (songs) AND r.import_id = import AND r.pass = 0);
  UPDATE listener_genres g SET ratings = g.ratings - c.ratings, bangers = g.bangers - c.bangers
  FROM (
    SELECT r.microgenre_id, count(*) AS ratings, count(*) FILTER (WHERE r.banger) AS bangers
    FROM ratings r WHERE r.user_id = listener AND r.song_id = ANY (gone) GROUP BY r.microgenre_id
  ) c
  WHERE g.user_id = listener AND g.microgenre_id = c.microgenre_id;
  UPDATE listener_stats s SET
    total_ratings = s.total_ratings - cardinality(gone),
    total_bangers = s.total_bangers - (
      SELECT count(*) FROM ratings r WHERE r.user_id = listener AND r.song_id = ANY (gone) AND r.banger),
    genres_rated = (SELECT count(*) FROM listener_genres g WHERE g.user_id = listener AND g.ratings > 0)
  WHERE s.user_id = listener;
  INSERT INTO rating_changes (user_id, song_id, microgenre_id, old_banger, old_rated_at)
  SELECT r.user_id, r.song_id, r.microgenre_id, r.banger, functions.counted_at(r.pass, r.rated_at)
  FROM ratings r WHERE r.user_id = listener AND r.song_id = ANY (gone);
  DELETE FROM ratings r WHERE r.user_id = listener AND r.song_id = ANY (gone);
  UPDATE ratings r SET previous_banger = NULL, previous_pass = NULL, previous_rated_at = NULL
  WHERE r.user_id = listener AND r.song_id = ANY (songs) AND r.import_id = import AND r.previous_pass = 0;
  UPDATE ratings r SET import_id = NULL
  WHERE r.user_id = listener AND r.song_id = ANY (songs) AND r.import_id = import;

  FOR mark IN
    SELECT n.* FROM unnest(songs) AS g (song)
    CROSS JOIN LATERAL (SELECT s.microgenre_id FROM songs s WHERE s.id = g.song LIMIT 1) s
    CROSS JOIN LATERAL (
      SELECT n.* FROM not_now n
      WHERE n.user_id = listener AND n.microgenre_id = s.microgenre_id AND n.song_id = g.song LIMIT 1
    ) n
    WHERE n.let_go_at = '-infinity'
  LOOP
    PERFORM functions.remove_import_mark(mark);
  END LOOP;
END
$$;
