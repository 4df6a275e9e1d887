-- Lets the songs to come of a pass lean towards a song that the listener banged in it (discover-91), or, if not `wanted`,
-- no longer towards this one. What is ahead goes back into the hand and is dealt anew, but for the first song, which may be
-- on screen, and those that undo brought back. A repeated call changes nothing. Returns null for an unknown song or
-- listener, false for a song that nothing can lean towards.
CREATE FUNCTION functions.lean_towards(listener bigint, song bigint, wanted boolean) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  genre bigint;
  pass_row listener_genres%ROWTYPE;
  hand listener_hands%ROWTYPE;
  kept integer;
  cards bigint[];
BEGIN
  SELECT s.microgenre_id INTO genre FROM songs s WHERE s.id = song;
  PERFORM FROM listener_stats s WHERE s.user_id = listener FOR NO KEY UPDATE;
  IF NOT FOUND OR genre IS NULL THEN
    RETURN NULL;
  END IF;
  SELECT * INTO pass_row FROM listener_genres g WHERE g.user_id = listener AND g.microgenre_id = genre;
  IF (pass_row.lean_song_id IS NOT DISTINCT FROM song) = wanted THEN
    RETURN true;
  END IF;
  IF wanted AND NOT EXISTS (
    SELECT FROM listener_stats u
    JOIN ratings r ON r.user_id = u.user_id AND r.song_id = song AND r.banger AND r.pass = pass_row.pass
      AND r.heard_source IS NOT NULL AND r.dealt_reason IS NOT NULL
    JOIN song_traits q ON q.run = u.taste_run AND q.song_id = song
    WHERE u.user_id = listener AND u.song_choice <> 'shuffle'
  ) THEN
    RETURN false;
  END IF;
  SELECT * INTO hand FROM listener_hands h
  WHERE h.user_id = listener AND h.microgenre_id = genre AND h.pass = pass_row.pass;
  -- The others have the last numbers, which are given anew.
  SELECT coalesce(max(a.place), 0) INTO kept
  FROM unnest(pass_row.ahead_numbers) WITH ORDINALITY AS a (number, place)
  WHERE a.place = 1 OR a.number <> hand.dealt - cardinality(pass_row.ahead) + a.place;
  SELECT coalesce(array_agg(s.id ORDER BY functions.place_of_song(pass_row.pass_seed, pass_row.pass_size, s.seq)), '{}')
  INTO cards FROM songs s WHERE s.id = ANY (hand.songs || pass_row.ahead[kept + 1:]);
  UPDATE listener_genres g SET lean_song_id = CASE WHEN wanted THEN song END,
    ahead = g.ahead[:kept], ahead_numbers = g.ahead_numbers[:kept],
    -- They were not dealt for this song.
    ahead_reasons = ARRAY(SELECT least(a.reason, 4)::smallint FROM unnest(g.ahead_reasons[:kept]) AS a (reason))
  WHERE g.user_id = listener AND g.microgenre_id = genre;
  UPDATE listener_hands h SET dealt = h.dealt - cardinality(pass_row.ahead) + kept, songs = cards
  WHERE h.user_id = listener AND h.microgenre_id = genre AND h.pass = pass_row.pass;
  PERFORM functions.fill_hands(listener, ARRAY[listener], ARRAY[genre], 5);
  RETURN true;
END
$$;
