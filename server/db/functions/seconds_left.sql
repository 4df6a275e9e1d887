-- Seconds until the day of this moment is over in this time zone, at least 1. Days of 23 and 25 hours included.
CREATE FUNCTION functions.seconds_left(moment timestamptz, zone text) RETURNS integer
LANGUAGE sql STABLE AS $$
  SELECT greatest(1, ceil(extract(epoch FROM
    (date_trunc('day', moment AT TIME ZONE zone) + interval '1 day') AT TIME ZONE zone - moment)))::integer
$$;
