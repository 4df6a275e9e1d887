-- Moves the 30-day windows towards `today` (community-4), by at most `max_rows` songs and listeners: forwards as
-- days pass, backwards after a clock that was ahead is corrected. Returns whether there is more to move; false also
-- while another process is running this. Songs are looked up one by one: a hash or merge join would read all songs at each step.
CREATE FUNCTION functions.move_windows(max_rows integer, today date DEFAULT (now() AT TIME ZONE 'UTC')::date) RETURNS boolean
LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  every_id CONSTANT bigint := 9223372036854775807;
  at community_totals%ROWTYPE;
  edge date;
  forward boolean;
  songs bigint;
  listeners bigint;
  moved integer;
  song_ids bigint[];
  day_bangers integer[];
BEGIN
  IF NOT pg_try_advisory_xact_lock(7041001) THEN
    RETURN false;
  END IF;
  SELECT * INTO at FROM community_totals;
  IF at.day = today AND at.songs_gone = every_id AND at.listeners_gone = every_id THEN
    RETURN false;
  END IF;

  -- When a day has left or re-entered the windows completely, go on with the next or the previous day.
  IF at.day < today AND at.songs_gone = every_id AND at.listeners_gone = every_id THEN
    at.day := at.day + 1;
    at.songs_gone := 0;
    at.listeners_gone := 0;
  ELSIF at.day > today AND at.songs_gone = 0 AND at.listeners_gone = 0 THEN
    at.day := at.day - 1;
    at.songs_gone := every_id;
    at.listeners_gone := every_id;
  END IF;

  edge := at.day - 30;
  forward := at.day <= today;
  IF forward THEN
    SELECT d.song_id INTO songs FROM song_days d WHERE d.day = edge AND d.song_id > at.songs_gone
    ORDER BY d.song_id OFFSET max_rows - 1 LIMIT 1;
    SELECT l.user_id INTO listeners FROM listener_last_days l WHERE l.day = edge AND l.user_id > at.listeners_gone
    ORDER BY l.user_id OFFSET max_rows - 1 LIMIT 1;
  ELSE
    SELECT d.song_id INTO songs FROM song_days d WHERE d.day = edge AND d.song_id <= at.songs_gone
    ORDER BY d.song_id DESC OFFSET max_rows LIMIT 1;
    SELECT l.user_id INTO listeners FROM listener_last_days l WHERE l.day = edge AND l.user_id <= at.listeners_gone
    ORDER BY l.user_id DESC OFFSET max_rows LIMIT 1;
  END IF;
  songs := coalesce(songs, CASE WHEN forward THEN every_id ELSE 0 END);
  listeners := coalesce(listeners, CASE WHEN forward THEN every_id ELSE 0 END);

  SELECT array_agg(d.song_id ORDER BY d.song_id), array_agg(d.bangers ORDER BY d.song_id) INTO song_ids, day_bangers
  FROM song_days d
  WHERE d.day = edge AND d.song_id > least(songs, at.songs_gone) AND d.song_id <= greatest(songs, at.songs_gone)
    AND d.bangers <> 0;
  UPDATE song_totals t SET recent_bangers = t.recent_bangers + CASE WHEN forward THEN -d.bangers ELSE d.bangers END
  FROM unnest(song_ids, day_bangers) AS d (song_id, bangers)
  WHERE t.song_id = d.song_id;
  SELECT count(*) INTO moved FROM listener_last_days l
  WHERE l.day = edge AND l.user_id > least(listeners, at.listeners_gone)
    AND l.user_id <= greatest(listeners, at.listeners_gone);
  UPDATE community_totals SET
    day = at.day,
    songs_gone = songs,
    listeners_gone = listeners,
    active_users = active_users + CASE WHEN forward THEN -moved ELSE moved END;
  RETURN at.day <> today OR songs <> every_id OR listeners <> every_id;
END
$$;
