-- When a rating counts in time windows: never, '-infinity', if it is imported (imports-22).
CREATE FUNCTION functions.counted_at(pass integer, rated_at timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN pass = 0 THEN '-infinity'::timestamptz ELSE rated_at END
$$;
