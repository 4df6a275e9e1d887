-- Moves the windows by one step and adds rating changes. Only servers of the previous version call it.
CREATE OR REPLACE FUNCTION roll_up_v1(batch integer) RETURNS integer
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM move_windows_v2(2000);
  RETURN fold_changes_v1(batch);
END
$$;
