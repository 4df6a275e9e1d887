-- The order of songs, stable per listener, microgenre and pass. The i-th song of a pass is found by its
-- seq, so the cost of the next song does not grow with the microgenre. Everything about the order
-- stands in song_place and place_of_song: an order that learns can replace them.

-- One Feistel round: mixes `half` with a 31-bit key. Every product stays below 2^63.
CREATE FUNCTION feistel_round(half bigint, key bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT z # (z >> 13)
  FROM (SELECT ((y # (y >> 15)) & 2147483647) * 2246822519 & 4294967295 AS z
        FROM (SELECT ((half + key) * 2654435761) & 4294967295 AS y) AS first) AS second
$$;
--> statement-breakpoint
-- A permutation of 0 … size-1, chosen by the seed: four Feistel rounds over the next power of four,
-- walked until the value falls inside. `backwards` gives the inverse.
CREATE FUNCTION permute(seed integer, place integer, size integer, backwards boolean DEFAULT false) RETURNS integer
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  bits integer := 1;
  mask bigint;
  high bigint;
  low bigint;
  swap bigint;
  value bigint := place;
BEGIN
  IF size < 2 THEN
    RETURN place;
  END IF;
  WHILE (1::bigint << (2 * bits)) < size LOOP
    bits := bits + 1;
  END LOOP;
  mask := (1::bigint << bits) - 1;
  LOOP
    high := value >> bits;
    low := value & mask;
    FOR round IN 1..4 LOOP
      IF backwards THEN
        swap := high;
        high := low # (feistel_round(high, (seed + (5 - round) * 1013904223::bigint) & 2147483647) & mask);
        low := swap;
      ELSE
        swap := low;
        low := high # (feistel_round(low, (seed + round * 1013904223::bigint) & 2147483647) & mask);
        high := swap;
      END IF;
    END LOOP;
    value := (high << bits) | low;
    EXIT WHEN value < size;
  END LOOP;
  RETURN value;
END
$$;
--> statement-breakpoint
-- The seq at a place of a pass. Songs added after the pass began follow in the order they came.
CREATE FUNCTION song_at_place(seed integer, pass_size integer, place integer) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN place < pass_size THEN permute(seed, place, pass_size) ELSE place END
$$;
--> statement-breakpoint
CREATE FUNCTION place_of_song(seed integer, pass_size integer, seq integer) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN seq < pass_size THEN permute(seed, seq, pass_size, true) ELSE seq END
$$;
--> statement-breakpoint
-- Up to `wanted` songs that the listener has not rated in this pass, in the order of the pass, from
-- its position on. Looks at the next places only, then at wider and wider windows: retired songs and
-- those rated ahead of their turn are stepped over.
CREATE FUNCTION unrated_songs_v1(listener bigint, genre bigint, current_pass integer, seed integer,
  pass_size integer, from_place integer, wanted integer)
RETURNS TABLE (place integer, song_id bigint)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  size integer;
  start integer := from_place;
  width integer := wanted;
  found integer := 0;
BEGIN
  SELECT m.song_count INTO size FROM microgenres m WHERE m.id = genre;
  WHILE found < wanted AND start < size LOOP
    FOR place, song_id IN
      SELECT p.place, s.id
      FROM generate_series(start, least(start + width, size) - 1) AS p (place)
      JOIN songs s ON s.microgenre_id = genre AND s.seq = song_at_place(seed, pass_size, p.place)
      WHERE s.retired_at IS NULL
        AND NOT EXISTS (SELECT FROM ratings r
                        WHERE r.user_id = listener AND r.song_id = s.id AND r.pass = current_pass)
      ORDER BY p.place
      LIMIT wanted - found
    LOOP
      found := found + 1;
      RETURN NEXT;
    END LOOP;
    start := start + width;
    width := least(width * 4, 512);
  END LOOP;
END
$$;
--> statement-breakpoint
-- The next songs of a listener in a microgenre. The first call begins the pass.
CREATE FUNCTION next_songs_v1(listener bigint, genre bigint, wanted integer)
RETURNS SETOF bigint
LANGUAGE plpgsql AS $$
DECLARE
  pass_row listener_genres%ROWTYPE;
BEGIN
  SELECT * INTO pass_row FROM listener_genres WHERE user_id = listener AND microgenre_id = genre;
  IF NOT FOUND THEN
    -- A listener whose account is gone gets no new rows.
    INSERT INTO listener_genres (user_id, microgenre_id, pass_seed, pass_size)
    SELECT listener, m.id, floor(random() * 2147483647)::integer, m.song_count
    FROM microgenres m
    WHERE m.id = genre AND EXISTS (SELECT FROM listener_stats s WHERE s.user_id = listener FOR KEY SHARE)
    ON CONFLICT DO NOTHING;
    SELECT * INTO pass_row FROM listener_genres WHERE user_id = listener AND microgenre_id = genre;
    IF NOT FOUND THEN
      RETURN;
    END IF;
  END IF;
  RETURN QUERY
    SELECT u.song_id
    FROM unrated_songs_v1(listener, genre, pass_row.pass, pass_row.pass_seed, pass_row.pass_size,
                          pass_row.pass_position, wanted) u
    ORDER BY u.place;
END
$$;
