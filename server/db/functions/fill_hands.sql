-- Deals songs to each of these listeners in a microgenre until `wanted` are ahead (discover-49), except to those who are
-- locked; with `only_listener`, the caller holds the lock of the one listener. Cards are drawn into the hand in the order
-- of the pass; the best are dealt, and as every eighth song the oldest. Nothing stays ahead but songs that are still to
-- come: not retired, rated or deferred.
-- One statement reads and chooses for all of them, like rating_steps. It runs again until all have
-- enough or nothing changes: at most eight are dealt at a time, and cards may turn out not to come any more.
CREATE FUNCTION functions.fill_hands(only_listener bigint, listeners bigint[], genres bigint[], wanted integer) RETURNS void
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET join_collapse_limit = 1
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off SET enable_bitmapscan = off
AS $$
#variable_conflict use_column
DECLARE
  locked bigint[];
  hand record;
  is_done boolean := false;
BEGIN
  IF only_listener IS NOT NULL THEN
    locked := listeners;
  ELSE
    locked := ARRAY(SELECT s.user_id FROM listener_stats s WHERE s.user_id = ANY (listeners) FOR NO KEY UPDATE SKIP LOCKED);
  END IF;
  WHILE NOT is_done LOOP
    is_done := true;
    FOR hand IN
      SELECT p.user_id, p.microgenre_id, p.pass, drawn.draw_end AS position, p.ahead || choice.songs AS ahead,
        p.reasons || choice.reasons AS reasons, p.dealt + cardinality(choice.songs) AS dealt,
        p.numbers || ARRAY(SELECT (p.dealt + i)::float8 FROM generate_series(1, cardinality(choice.songs)) i) AS numbers,
        ARRAY(
          SELECT c.id FROM unnest(drawn.cards) WITH ORDINALITY AS c (id, place)
          WHERE c.id <> ALL (choice.songs || choice.gone) ORDER BY c.place
        ) AS cards
      FROM (
        SELECT g.user_id, g.microgenre_id, g.pass, cardinality(g.ahead) AS ahead_count, g.pass_seed, g.pass_size, g.pass_position, m.song_count,
          g.lean_song_id, s.song_choice, s.total_ratings, s.taste_run, s.t1, s.t2, s.t3, s.t4,
          ahead.songs AS ahead, ahead.numbers, ahead.reasons, k.cards, k.dealt, k.missing, 8 - k.dealt % 8 AS oldest_turn,
          -- The hand grows over the first deals, so that the first song does not wait for 64 cards.
          greatest(0, k.missing - cardinality(k.cards)
            + CASE k.dealt WHEN 0 THEN 24 ELSE least(64, cardinality(k.cards) + 12) END) AS draw_count
        FROM unnest(listeners, genres) AS l (listener, genre)
        CROSS JOIN LATERAL (
          SELECT g.* FROM listener_genres g
          WHERE g.user_id = l.listener AND (only_listener IS NULL OR g.user_id = only_listener)
            AND g.microgenre_id = l.genre
          LIMIT 1
        ) g
        CROSS JOIN LATERAL (SELECT m.song_count FROM microgenres m WHERE m.id = l.genre LIMIT 1) m
        CROSS JOIN LATERAL (
          SELECT s.* FROM listener_stats s
          WHERE s.user_id = l.listener AND (only_listener IS NULL OR s.user_id = only_listener) LIMIT 1
        ) s
        LEFT JOIN LATERAL (
          SELECT h.dealt, h.songs FROM listener_hands h
          WHERE h.user_id = l.listener AND (only_listener IS NULL OR h.user_id = only_listener)
            AND h.microgenre_id = l.genre AND h.pass = g.pass
          LIMIT 1
        ) h ON true
        CROSS JOIN LATERAL (
          SELECT coalesce(array_agg(a.song ORDER BY a.rank), '{}') AS songs,
            coalesce(array_agg(a.number ORDER BY a.rank), '{}') AS numbers,
            coalesce(array_agg(a.reason ORDER BY a.rank), '{}') AS reasons
          FROM unnest(g.ahead, g.ahead_numbers, g.ahead_reasons) WITH ORDINALITY AS a (song, number, reason, rank)
          WHERE (SELECT o.id FROM songs o WHERE o.id = a.song AND o.retired_at IS NULL) IS NOT NULL AND (
            SELECT r.song_id FROM ratings r
            WHERE r.user_id = l.listener AND (only_listener IS NULL OR r.user_id = only_listener) AND r.song_id = a.song
              AND r.pass = g.pass
          ) IS NULL AND (
            SELECT n.song_id FROM not_now n
            WHERE n.user_id = l.listener AND (only_listener IS NULL OR n.user_id = only_listener)
              AND n.microgenre_id = l.genre AND n.song_id = a.song AND n.pass = g.pass
          ) IS NULL
        ) ahead
        CROSS JOIN LATERAL (
          SELECT coalesce(h.songs, '{}') AS cards, coalesce(h.dealt, 0) AS dealt,
            least(8, wanted - cardinality(ahead.songs)) AS missing
        ) k
        WHERE k.missing > 0 AND l.listener = ANY (locked)
        OFFSET 0
      ) p
      CROSS JOIN LATERAL (
        SELECT p.cards || coalesce(array_agg(d.id ORDER BY d.place), '{}') AS cards,
          CASE WHEN count(*) < p.draw_count THEN p.song_count ELSE coalesce(max(d.place) + 1, p.pass_position) END AS draw_end
        FROM (
          SELECT o.id, o.place
          FROM (
            SELECT place, (
              SELECT o.id FROM songs o
              WHERE o.microgenre_id = p.microgenre_id AND o.seq = functions.song_at_place(p.pass_seed, p.pass_size, place)
                AND o.retired_at IS NULL
            ) AS id
            -- Place after place, as far as LIMIT needs them.
            FROM (SELECT generate_series(p.pass_position, p.song_count - 1) AS place) places
            OFFSET 0
          ) o
          WHERE o.id IS NOT NULL AND o.id <> ALL (p.cards || p.ahead) AND (
            SELECT r.song_id FROM ratings r
            WHERE r.user_id = p.user_id AND (only_listener IS NULL OR r.user_id = only_listener) AND r.song_id = o.id
              AND r.pass = p.pass
          ) IS NULL AND (
            SELECT n.song_id FROM not_now n
            WHERE n.user_id = p.user_id AND (only_listener IS NULL OR n.user_id = only_listener)
              AND n.microgenre_id = p.microgenre_id AND n.song_id = o.id AND n.pass = p.pass
          ) IS NULL
          LIMIT p.draw_count
        ) d
      ) drawn
      CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(c.song_id ORDER BY c.turn) FILTER (WHERE c.turn <= p.missing), '{}') AS songs,
          coalesce(array_agg(CASE c.turn WHEN p.oldest_turn THEN 1::smallint ELSE c.reason END ORDER BY c.turn)
            FILTER (WHERE c.turn <= p.missing), '{}') AS reasons,
          coalesce(array_agg(c.song_id) FILTER (WHERE NOT c.is_coming), '{}') AS gone
        FROM (
          SELECT c.song_id, c.reason, c.is_coming,
            CASE WHEN c.is_choice THEN row_number() OVER (PARTITION BY c.is_choice ORDER BY
              CASE WHEN c.rank < p.oldest_turn THEN 1 WHEN c.place = c.oldest_place THEN 2 ELSE 3 END, c.rank) END AS turn
          FROM (
            SELECT c.*, c.is_coming AND (c.card_rank <= p.missing + 3 OR c.place = c.oldest_place) AS is_choice
            FROM (
              SELECT c.*,
                min(c.place) FILTER (WHERE c.rank >= p.oldest_turn) OVER (PARTITION BY c.is_coming) AS oldest_place
              FROM (
                SELECT c.*, row_number() OVER (PARTITION BY c.is_coming ORDER BY c.card_rank) AS rank
                FROM (
                  SELECT c.place, c.song_id, c.reason, c.card_rank,
                    (SELECT o.id FROM songs o WHERE o.id = c.song_id AND o.retired_at IS NULL) IS NOT NULL
                    AND (
                      SELECT r.song_id FROM ratings r
                      WHERE r.user_id = p.user_id AND (only_listener IS NULL OR r.user_id = only_listener)
                        AND r.song_id = c.song_id AND r.pass = p.pass
                    ) IS NULL
                    AND (
                      SELECT n.song_id FROM not_now n
                      WHERE n.user_id = p.user_id AND (only_listener IS NULL OR n.user_id = only_listener)
                        AND n.microgenre_id = p.microgenre_id AND n.song_id = c.song_id AND n.pass = p.pass
                    ) IS NULL AS is_coming
                  FROM (
                    SELECT r.*, row_number() OVER (ORDER BY r.score DESC, r.place) AS card_rank
                    FROM functions.rank_cards(p.microgenre_id, drawn.cards, p.song_choice, p.total_ratings, p.taste_run,
                      p.t1, p.t2, p.t3, p.t4, p.lean_song_id) r
                  ) c
                  -- The best, and the oldest if it is due. Enough, unless more of them turn out not to come.
                  WHERE c.card_rank <= p.missing + 3 OR (p.oldest_turn <= p.missing AND c.place <= p.missing + 3)
                ) c
              ) c
            ) c
          ) c
        ) c
      ) choice
      WHERE (drawn.draw_end, cardinality(p.ahead)) <> (p.pass_position, p.ahead_count)
        OR cardinality(choice.songs || choice.gone) > 0
    LOOP
      UPDATE listener_genres g SET pass_position = hand.position, ahead = hand.ahead, ahead_numbers = hand.numbers,
        ahead_reasons = hand.reasons
      WHERE g.user_id = hand.user_id AND g.microgenre_id = hand.microgenre_id;
      INSERT INTO listener_hands (user_id, microgenre_id, pass, dealt, songs)
      VALUES (hand.user_id, hand.microgenre_id, hand.pass, hand.dealt, hand.cards)
      ON CONFLICT (user_id, microgenre_id) DO UPDATE SET
        pass = excluded.pass, dealt = excluded.dealt, songs = excluded.songs;
      is_done := is_done AND cardinality(hand.ahead) >= wanted;
    END LOOP;
  END LOOP;
END
$$;
