-- What measuring at a million songs and ten million ratings showed. Signatures and results stay, so servers of
-- before and after share these functions.

-- As before, with the rounds written out: a SQL function inside an expression costs more than all its arithmetic.
CREATE OR REPLACE FUNCTION permute(seed integer, place integer, size integer, backwards boolean DEFAULT false) RETURNS integer
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  bits integer := 1;
  mask bigint;
  high bigint;
  low bigint;
  half bigint;
  mixed bigint;
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
      half := CASE WHEN backwards THEN high ELSE low END;
      -- feistel_round(half, key), cut to the mask.
      mixed := ((half + ((seed + (CASE WHEN backwards THEN 5 - round ELSE round END) * 1013904223::bigint) & 2147483647))
                * 2654435761) & 4294967295;
      mixed := (((mixed # (mixed >> 15)) & 2147483647) * 2246822519) & 4294967295;
      mixed := (mixed # (mixed >> 13)) & mask;
      IF backwards THEN
        high := low # mixed;
        low := half;
      ELSE
        low := high # mixed;
        high := half;
      END IF;
    END LOOP;
    value := (high << bits) | low;
    EXIT WHEN value < size;
  END LOOP;
  RETURN value;
END
$$;
--> statement-breakpoint
-- As before, place by place: a join over a window gets a plan for any window, and that reads the whole microgenre.
-- Each step is two lookups by unique keys, whatever its size.
CREATE OR REPLACE FUNCTION unrated_songs_v1(listener bigint, genre bigint, current_pass integer, seed integer,
  pass_size integer, from_place integer, wanted integer)
RETURNS TABLE (place integer, song_id bigint)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  size integer;
  found integer := 0;
BEGIN
  SELECT m.song_count INTO size FROM microgenres m WHERE m.id = genre;
  place := from_place;
  WHILE found < wanted AND place < size LOOP
    SELECT s.id INTO song_id FROM songs s
    WHERE s.microgenre_id = genre AND s.seq = song_at_place(seed, pass_size, place) AND s.retired_at IS NULL
      AND NOT EXISTS (SELECT FROM ratings r
                      WHERE r.user_id = listener AND r.song_id = s.id AND r.pass = current_pass);
    IF song_id IS NOT NULL THEN
      found := found + 1;
      RETURN NEXT;
    END IF;
    place := place + 1;
  END LOOP;
END
$$;
--> statement-breakpoint
-- Moves the 30-day windows to `today` (D-64), forward with the days and back when a clock that ran ahead is put right:
-- what was rated in days that had left the window then counts again.
CREATE OR REPLACE FUNCTION move_windows_v1(today date) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  was date;
  from_day date;
  to_day date;
  step integer;
BEGIN
  SELECT c.day INTO was FROM community_totals c FOR UPDATE;
  IF was = today THEN
    RETURN;
  END IF;
  -- Forward, these days leave the window; back, they come into it.
  from_day := least(was, today) - 29;
  to_day := greatest(was, today) - 30;
  step := CASE WHEN was < today THEN -1 ELSE 1 END;
  UPDATE song_totals t SET recent_bangers = t.recent_bangers + step * moved.bangers
  FROM (SELECT d.song_id, sum(d.bangers)::integer AS bangers
        FROM song_days d
        WHERE d.day BETWEEN from_day AND to_day
        GROUP BY d.song_id
        HAVING sum(d.bangers) <> 0
        ORDER BY d.song_id) AS moved
  WHERE t.song_id = moved.song_id;
  UPDATE community_totals SET
    day = today,
    active_users = active_users
      + step * (SELECT count(*) FROM listener_last_days l WHERE l.day BETWEEN from_day AND to_day)::integer;
END
$$;
