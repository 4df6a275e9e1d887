-- The time of a rating with microseconds, as responses contain it.
CREATE OR REPLACE FUNCTION rating_time_v1(at timestamptz) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;
