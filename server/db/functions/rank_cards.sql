-- The score of each card of a listener's hand, and the reason to deal it (discover-50, discover-52). Only this function
-- chooses. The share of a song that few have rated is near its microgenre's. greatest() also turns a missing total into 0.
-- A taste goes with the traits of its run only, and there is none before the first run. LIMIT keeps the planner from
-- joining all songs' totals. With the plain shuffle all cards are equal (discover-70).
CREATE FUNCTION functions.rank_cards(listener bigint, genre bigint, cards bigint[])
RETURNS TABLE (place bigint, song_id bigint, score double precision, reason smallint)
LANGUAGE plpgsql STABLE ROWS 64 AS $$
DECLARE
  own listener_stats%ROWTYPE;
BEGIN
  SELECT * INTO own FROM listener_stats u WHERE u.user_id = listener;
  RETURN QUERY
      SELECT c.place, c.song_id,
        CASE WHEN c.choice = 'shuffle' THEN 0 ELSE c.share + c.doubt + c.taste - c.exposure END,
        CASE
          WHEN c.choice = 'shuffle' THEN 1
          WHEN c.taste > 0.04 AND c.taste >= c.share - c.usual AND c.taste >= -c.exposure THEN 4
          WHEN c.ratings >= 5 AND c.share - c.usual > 0.04 AND c.share - c.usual >= -c.exposure THEN 2
          WHEN c.exposure < -0.03 THEN 3
          ELSE 1
        END::smallint
      FROM (
        SELECT card.place, card.song_id, g.choice, s.ratings, s.share, g.share AS usual,
          0.5 * sqrt(greatest(s.share * (1 - s.share), 0) / (s.ratings + 14)) AS doubt,
          g.weight * greatest(-0.9, least(0.9, ln((s.ratings + 1) / (g.ratings + 1)))) AS exposure,
          greatest(-0.25, least(0.25, coalesce(q.t1 * g.t1 + q.t2 * g.t2 + q.t3 * g.t3 + q.t4 * g.t4, 0)))::float8 AS taste
        FROM (
          SELECT k.ratings / greatest(m.live_song_count, 1) AS ratings, (k.bangers + 30) / (k.ratings + 100) AS share,
            own.taste_run, own.t1, own.t2, own.t3, own.t4,
            own.song_choice AS choice,
            CASE WHEN own.taste_run IS NOT NULL AND own.total_ratings >= 40 THEN 0.25 ELSE 0.14 END
              * CASE own.song_choice WHEN 'liked' THEN 0.4 WHEN 'surprise' THEN 1.8 ELSE 1 END AS weight
          FROM microgenres m
          LEFT JOIN microgenre_totals t ON t.microgenre_id = m.id
          CROSS JOIN LATERAL (
            SELECT greatest(t.dealt_ratings, 0)::float8 AS ratings, greatest(t.dealt_bangers, 0)::float8 AS bangers
          ) k
          WHERE m.id = genre
        ) g
        CROSS JOIN unnest(cards) WITH ORDINALITY AS card (song_id, place)
        LEFT JOIN LATERAL (
          SELECT t.dealt_ratings, t.dealt_bangers FROM song_totals t WHERE t.song_id = card.song_id LIMIT 1
        ) t ON true
        LEFT JOIN LATERAL (
          SELECT q.t1, q.t2, q.t3, q.t4 FROM song_traits q WHERE q.song_id = card.song_id AND q.run = g.taste_run LIMIT 1
        ) q ON true
        CROSS JOIN LATERAL (
          SELECT greatest(t.dealt_ratings, 0)::float8 AS ratings, greatest(t.dealt_bangers, 0)::float8 AS bangers
        ) k
        CROSS JOIN LATERAL (
          SELECT k.ratings, (k.bangers + 13 * g.share) / (k.ratings + 13) AS share
        ) s
      ) c;
END
$$;
