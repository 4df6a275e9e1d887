-- The next songs of a listener in a microgenre, whether each was put off before, and why it is dealt (discover-52; null if
-- it was not dealt). The first call begins the pass. Songs are dealt here when too few are ahead, because a page asks for
-- songs ahead while one plays.
CREATE FUNCTION functions.next_song_ids(listener bigint, genre bigint, wanted integer)
RETURNS TABLE (song_id bigint, put_off boolean, reason smallint)
LANGUAGE plpgsql ROWS 1 SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  pass_row listener_genres%ROWTYPE;
  coming bigint[] := '{}';
BEGIN
  SELECT * INTO pass_row FROM listener_genres g WHERE g.user_id = listener AND g.microgenre_id = genre;
  IF FOUND THEN
    coming := functions.coming_cards(listener, genre, pass_row.ahead, wanted);
  END IF;
  IF cardinality(coming) < wanted THEN
    PERFORM FROM listener_stats s WHERE s.user_id = listener FOR UPDATE;
    -- A deleted account must not get new rows.
    IF NOT FOUND THEN
      RETURN;
    END IF;
    PERFORM functions.begin_pass(listener, genre);
    PERFORM functions.fill_hands(listener, ARRAY[listener], ARRAY[genre], greatest(wanted, 5));
    SELECT * INTO pass_row FROM listener_genres g WHERE g.user_id = listener AND g.microgenre_id = genre;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    coming := pass_row.ahead[:wanted];
  END IF;
  RETURN QUERY
    SELECT c.id, false, pass_row.ahead_reasons[array_position(pass_row.ahead, c.id)]
    FROM unnest(coming) WITH ORDINALITY AS c (id, rank) ORDER BY c.rank;
  IF cardinality(coming) < wanted THEN
    RETURN QUERY
      SELECT u.song_id, u.put_off, NULL::smallint
      FROM functions.unrated_songs(listener, genre, pass_row.pass_seed, pass_row.pass_size, pass_row.pass_position,
                            wanted - cardinality(coming)) WITH ORDINALITY AS u (place, song_id, put_off, rank)
      ORDER BY u.rank;
  END IF;
END
$$;
