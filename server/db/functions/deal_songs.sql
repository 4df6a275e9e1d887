-- Deals songs of a pass until `wanted` are ahead (discover-49): first draws cards into the hand in the order of the pass,
-- then deals the best, and as every eighth song the oldest card. Stores the hand and returns the pass, which the caller
-- stores, with nothing ahead but songs that are still to come. The caller holds the listener's lock.
CREATE FUNCTION functions.deal_songs(pass_row listener_genres, wanted integer)
RETURNS listener_genres
LANGUAGE plpgsql AS $$
DECLARE
  listener CONSTANT bigint := pass_row.user_id;
  genre CONSTANT bigint := pass_row.microgenre_id;
  was listener_hands%ROWTYPE;
  hand bigint[];
  dealt_count integer;
  hand_size integer;
  missing integer;
  coming bigint[];
  drawn bigint[];
  drawn_to integer;
  best bigint[];
  best_reasons smallint[];
  next_best integer;
  card bigint;
  why smallint;
BEGIN
  coming := functions.coming_cards(listener, genre, pass_row.ahead, cardinality(pass_row.ahead));
  IF cardinality(coming) < cardinality(pass_row.ahead) THEN
    SELECT coalesce(array_agg(a.song ORDER BY a.rank), '{}'), coalesce(array_agg(a.number ORDER BY a.rank), '{}'),
      coalesce(array_agg(a.reason ORDER BY a.rank), '{}')
    INTO pass_row.ahead, pass_row.ahead_numbers, pass_row.ahead_reasons
    FROM unnest(pass_row.ahead, pass_row.ahead_numbers, pass_row.ahead_reasons) WITH ORDINALITY AS a (song, number, reason, rank)
    WHERE a.song = ANY (coming);
  END IF;
  missing := wanted - cardinality(pass_row.ahead);
  IF missing <= 0 THEN
    RETURN pass_row;
  END IF;

  SELECT * INTO was FROM listener_hands h
  WHERE h.user_id = listener AND h.microgenre_id = genre AND h.pass = pass_row.pass;
  hand := coalesce(was.songs, '{}');
  dealt_count := coalesce(was.dealt, 0);
  -- The hand grows over the first deals, so that the first song does not wait for 64 cards.
  hand_size := CASE WHEN dealt_count = 0 THEN 24 ELSE least(64, cardinality(hand) + 12) END;
  LOOP
    WHILE cardinality(hand) < hand_size + missing LOOP
      SELECT array_agg(u.song_id ORDER BY u.place) FILTER (WHERE u.song_id <> ALL (hand || pass_row.ahead)),
        max(u.place) + 1
      INTO drawn, drawn_to
      FROM functions.unrated_songs(listener, genre, pass_row.pass_seed, pass_row.pass_size, pass_row.pass_position,
                            hand_size + missing - cardinality(hand)) u
      WHERE NOT u.put_off;
      EXIT WHEN drawn_to IS NULL;
      hand := hand || drawn;
      pass_row.pass_position := drawn_to;
    END LOOP;
    EXIT WHEN cardinality(hand) = 0;

    SELECT array_agg(r.song_id ORDER BY r.score DESC, r.place), array_agg(r.reason ORDER BY r.score DESC, r.place)
    INTO best, best_reasons
    FROM functions.rank_cards(listener, genre, hand) r;
    next_best := 1;
    WHILE missing > 0 AND cardinality(hand) > 0 LOOP
      IF (dealt_count + 1) % 8 = 0 THEN
        card := hand[1];
        why := 1;
      ELSE
        card := best[next_best];
        why := best_reasons[next_best];
        next_best := next_best + 1;
        CONTINUE WHEN card <> ALL (hand);
      END IF;
      hand := array_remove(hand, card);
      -- It may have been retired, or rated before its turn.
      CONTINUE WHEN cardinality(functions.coming_cards(listener, genre, ARRAY[card], 1)) = 0;
      dealt_count := dealt_count + 1;
      missing := missing - 1;
      pass_row.ahead := pass_row.ahead || card;
      pass_row.ahead_numbers := pass_row.ahead_numbers || dealt_count::double precision;
      pass_row.ahead_reasons := pass_row.ahead_reasons || why;
    END LOOP;
    EXIT WHEN missing = 0;
  END LOOP;

  IF (hand, dealt_count) IS DISTINCT FROM (was.songs, was.dealt) THEN
    INSERT INTO listener_hands (user_id, microgenre_id, pass, dealt, songs)
    VALUES (listener, genre, pass_row.pass, dealt_count, hand)
    ON CONFLICT (user_id, microgenre_id) DO UPDATE SET
      pass = excluded.pass, dealt = excluded.dealt, songs = excluded.songs;
  END IF;
  RETURN pass_row;
END
$$;
