-- A permutation of 0 … size-1, chosen by the seed: four Feistel rounds over the next power of four, repeated until the
-- value is in the range. `backwards` computes the inverse. The rounds are inline, because calling a SQL function would
-- cost more than the arithmetic.
CREATE FUNCTION functions.permute(seed integer, place integer, size integer, backwards boolean DEFAULT false) RETURNS integer
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
      -- One round: mixes a half with a 31-bit key. Every product stays below 2^63.
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
