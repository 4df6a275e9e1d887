-- The score of each card of a hand in a microgenre, and the reason to deal it (discover-50, discover-52), for a listener
-- with this choice of songs, number of ratings and taste, which the lean moves one step towards a song (discover-91). Only
-- this function chooses. The share of a song that few have rated is near its microgenre's. greatest() also turns a missing
-- total into 0. A taste goes with the traits of its run only, and there is none before the first run. With the plain
-- shuffle all cards are equal (discover-70).
-- One SELECT in SQL, so that PostgreSQL plans it as a part of the calling statement. OFFSET 0 has each value computed once.
CREATE FUNCTION functions.rank_cards(genre bigint, cards bigint[], choice text, own_ratings integer, own_run integer,
  own_t1 real, own_t2 real, own_t3 real, own_t4 real, lean bigint DEFAULT NULL)
RETURNS TABLE (place bigint, song_id bigint, score double precision, reason smallint)
LANGUAGE sql STABLE ROWS 64 AS $$
  SELECT c.place, c.song_id,
    CASE WHEN choice = 'shuffle' THEN 0 ELSE c.share + c.doubt + c.taste - c.exposure END,
    CASE
      WHEN choice = 'shuffle' THEN 1
      WHEN c.taste > 0.04 AND c.taste >= c.share - c.usual AND c.taste >= -c.exposure
        THEN CASE WHEN c.lean_part > 0.01 THEN 5 ELSE 4 END
      WHEN c.ratings >= 5 AND c.share - c.usual > 0.04 AND c.share - c.usual >= -c.exposure THEN 2
      WHEN c.exposure < -0.03 THEN 3
      ELSE 1
    END::smallint
  FROM (
    SELECT s.place, s.song_id, s.ratings, s.share, g.share AS usual,
      0.5 * sqrt(greatest(s.share * (1 - s.share), 0) / (s.ratings + 14)) AS doubt,
      g.weight * greatest(-0.9, least(0.9, ln((s.ratings + 1) / (g.ratings + 1)))) AS exposure,
      greatest(-0.25, least(0.25, coalesce(q.t1 * own_t1 + q.t2 * own_t2 + q.t3 * own_t3 + q.t4 * own_t4, 0)
        + l.part))::float8 AS taste, l.part AS lean_part
    FROM (
      SELECT k.ratings / greatest(m.live_song_count, 1) AS ratings, (k.bangers + 30) / (k.ratings + 100) AS share,
        CASE WHEN own_run IS NOT NULL AND own_ratings >= 40 THEN 0.25 ELSE 0.14 END
          * CASE choice WHEN 'liked' THEN 0.4 WHEN 'surprise' THEN 1.8 ELSE 1 END AS weight,
        -- As far as a rating moves the taste at most (rating_steps).
        q.t1 / z.size AS l1, q.t2 / z.size AS l2, q.t3 / z.size AS l3, q.t4 / z.size AS l4
      FROM microgenres m
      LEFT JOIN microgenre_totals t ON t.microgenre_id = m.id
      LEFT JOIN LATERAL (
        SELECT q.t1, q.t2, q.t3, q.t4 FROM song_traits q WHERE q.song_id = lean AND q.run = own_run LIMIT 1
      ) q ON lean IS NOT NULL
      CROSS JOIN LATERAL (SELECT 3 + q.t1 ^ 2 + q.t2 ^ 2 + q.t3 ^ 2 + q.t4 ^ 2 AS size) z
      CROSS JOIN LATERAL (
        SELECT greatest(t.dealt_ratings, 0)::float8 AS ratings, greatest(t.dealt_bangers, 0)::float8 AS bangers
      ) k
      WHERE m.id = genre
      OFFSET 0
    ) g
    CROSS JOIN LATERAL (
      SELECT card.place, card.id AS song_id, greatest(t.dealt_ratings, 0)::float8 AS ratings,
        (greatest(t.dealt_bangers, 0)::float8 + 13 * g.share) / (greatest(t.dealt_ratings, 0)::float8 + 13) AS share
      FROM unnest(cards) WITH ORDINALITY AS card (id, place)
      LEFT JOIN LATERAL (
        SELECT t.dealt_ratings, t.dealt_bangers FROM song_totals t WHERE t.song_id = card.id LIMIT 1
      ) t ON true
      OFFSET 0
    ) s
    LEFT JOIN LATERAL (
      SELECT q.t1, q.t2, q.t3, q.t4 FROM song_traits q WHERE q.song_id = s.song_id AND q.run = own_run LIMIT 1
    ) q ON own_run IS NOT NULL
    CROSS JOIN LATERAL (
      SELECT coalesce(q.t1 * g.l1 + q.t2 * g.l2 + q.t3 * g.l3 + q.t4 * g.l4, 0) AS part
    ) l
    OFFSET 0
  ) c
$$;
