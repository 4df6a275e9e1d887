-- The score of each card of a hand, and the reason to deal it (discover-50, discover-52). Only this function chooses. The
-- share of a song that few have rated is near its microgenre's. greatest() also turns a missing total into 0. LIMIT keeps
-- the planner from joining all songs' totals.
CREATE OR REPLACE FUNCTION rank_cards_v1(genre bigint, cards bigint[])
RETURNS TABLE (place bigint, song_id bigint, score double precision, reason smallint)
LANGUAGE sql STABLE ROWS 64 AS $$
  SELECT c.place, c.song_id, c.share + c.doubt - c.exposure,
    CASE
      WHEN c.ratings >= 5 AND c.share - c.usual > 0.04 AND c.share - c.usual >= -c.exposure THEN 2
      WHEN c.exposure < -0.03 THEN 3
      ELSE 1
    END::smallint
  FROM (
    SELECT card.place, card.song_id, s.ratings, s.share, g.share AS usual,
      0.5 * sqrt(greatest(s.share * (1 - s.share), 0) / (s.ratings + 14)) AS doubt,
      0.14 * greatest(-0.9, least(0.9, ln((s.ratings + 1) / (g.ratings + 1)))) AS exposure
    FROM (
      SELECT k.ratings / greatest(m.live_song_count, 1) AS ratings, (k.bangers + 30) / (k.ratings + 100) AS share
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
    CROSS JOIN LATERAL (
      SELECT greatest(t.dealt_ratings, 0)::float8 AS ratings, greatest(t.dealt_bangers, 0)::float8 AS bangers
    ) k
    CROSS JOIN LATERAL (
      SELECT k.ratings, (k.bangers + 13 * g.share) / (k.ratings + 13) AS share
    ) s
  ) c
$$;
