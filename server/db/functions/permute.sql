-- A permutation of 0 … size-1, chosen by the seed: four Feistel rounds over the next power of four, repeated until the
-- value is in the range. `backwards` computes the inverse. The rounds are inline, because calling a SQL function would
-- cost more than the arithmetic.
CREATE FUNCTION functions.permute(seed integer, place integer, size integer, backwards boolean DEFAULT false) RETURNS integer
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  bits integer := 1;
  mask bigint;
  half bigint;
  other bigint;
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
    half := CASE WHEN backwards THEN value >> bits ELSE value & mask END;
    other := CASE WHEN backwards THEN value & mask ELSE value >> bits END;
    FOR round IN 1..4 LOOP
      -- Mixes a half with a 31-bit key. Every product stays below 2^63.
      mixed := ((half + ((seed + (CASE WHEN backwards THEN 5 - round ELSE round END) * 1013904223::bigint) & 2147483647))
                * 2654435761) & 4294967295;
      mixed := (((mixed # (mixed >> 15)) & 2147483647) * 2246822519) & 4294967295;
      mixed := other # ((mixed # (mixed >> 13)) & mask);
      other := half;
      half := mixed;
    END LOOP;
    value := CASE WHEN backwards THEN (half << bits) | other ELSE (other << bits) | half END;
    EXIT WHEN value < size;
  END LOOP;
  RETURN value;
END
$$;
