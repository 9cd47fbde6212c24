-- Cuts price_points into weeks: makes those that are coming, and drops those that are older than is
-- kept in detail, of which one point a day is left for two years. It runs with the rights of whoever
-- owns the tables, since the service itself need not be allowed to make any.
CREATE FUNCTION keep_price_partitions(kept_days integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  today date := (now() AT TIME ZONE 'UTC')::date;
  week date;
  part text;
  changed boolean := false;
BEGIN
  FOR week IN
    SELECT generate_series(date_trunc('week', today), today + 21, interval '7 days')::date
  LOOP
    part := 'price_points_' || to_char(week, 'IYYY"w"IW');
    CONTINUE WHEN to_regclass(part) IS NOT NULL;
    changed := true;
    EXECUTE format('CREATE TABLE %I (LIKE price_points INCLUDING ALL)', part);
    EXECUTE format(
      'WITH moved AS (DELETE FROM price_points_rest WHERE at >= %1$L AND at < %2$L RETURNING *)
       INSERT INTO %3$I SELECT * FROM moved',
      week || ' 00:00+00', (week + 7) || ' 00:00+00', part);
    EXECUTE format('ALTER TABLE price_points ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
      part, week || ' 00:00+00', (week + 7) || ' 00:00+00');
  END LOOP;

  FOR part IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'price_points'::regclass AND c.relname ~ '^price_points_\d{4}w\d{2}$'
      AND to_date(substr(c.relname, 14), 'IYYY"w"IW') + 7 <= today - kept_days
  LOOP
    changed := true;
    EXECUTE format('ALTER TABLE price_points DETACH PARTITION %I', part);
    EXECUTE format(
      'INSERT INTO price_points_rest
       SELECT DISTINCT ON (ticker, date_trunc(''day'', at AT TIME ZONE ''UTC'')) * FROM %I
       ORDER BY ticker, date_trunc(''day'', at AT TIME ZONE ''UTC''), at DESC ON CONFLICT DO NOTHING', part);
    EXECUTE format('DROP TABLE %I', part);
  END LOOP;

  IF changed THEN
    DELETE FROM price_points_rest WHERE at < now() - interval '2 years';
  END IF;
END $$;
--> statement-breakpoint
SELECT keep_price_partitions(45);
