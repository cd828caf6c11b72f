-- After test/support/lookup-tables.sql: tickets whose workspace is that of their event. Events of all workspaces stand in turn, so that no range
-- of ids is of one workspace. The workspaces 1, 20, 500 and 600 have as many events of 12 tickets each.
CREATE TABLE events (id INT NOT NULL PRIMARY KEY, account_id INT NOT NULL, KEY account (account_id)) STATS_AUTO_RECALC=0 STATS_SAMPLE_PAGES=1000;
INSERT INTO events SELECT n * 4, 1 FROM numbers WHERE n < 1;
INSERT INTO events SELECT n * 4 + 1, 20 FROM numbers WHERE n < 20;
INSERT INTO events SELECT n * 4 + 2, 500 FROM numbers WHERE n < 500;
INSERT INTO events SELECT n * 4 + 3, 600 FROM numbers WHERE n < 600;
CREATE TABLE entries LIKE tickets;
ALTER TABLE entries DROP KEY sync, ADD KEY sync (event_id, touched);
INSERT INTO entries SELECT e.id * 100 + n, 0, e.id, n, 1 + n % 3, n % 2, n % 3 = 0, TIMESTAMP('2026-01-01 00:00:00') + INTERVAL FLOOR(n / 3) SECOND
  FROM events e JOIN numbers ON n < 12;
-- 26 has 26 events with 2,300 tickets each, 700 has 3 with 900 each and 100 with 12 each.
INSERT INTO events SELECT 100000 + n * 2, 26 FROM numbers WHERE n < 26;
INSERT INTO entries SELECT e.id * 3000 + n, 0, e.id, n, 1 + n % 3, n % 2, n % 3 = 0,
  TIMESTAMP('2026-01-01 00:00:00') + INTERVAL FLOOR(n / 3) SECOND + INTERVAL e.id % 7 SECOND FROM events e JOIN numbers ON n < 2300 WHERE e.account_id = 26;
INSERT INTO events SELECT 100001 + n * 2, 700 FROM numbers WHERE n < 3;
INSERT INTO entries SELECT e.id * 3000 + n, 0, e.id, n, 1 + n % 3, n % 2, n % 3 = 0,
  TIMESTAMP('2026-01-01 00:00:00') + INTERVAL FLOOR(n / 3) SECOND + INTERVAL e.id % 7 SECOND FROM events e JOIN numbers ON n < 900 WHERE e.account_id = 700;
INSERT INTO events SELECT 200000 + n, 700 FROM numbers WHERE n < 100;
INSERT INTO entries SELECT e.id * 3000 + n, 0, e.id, n, 1 + n % 3, n % 2, n % 3 = 0, TIMESTAMP('2026-01-01 00:00:00') + INTERVAL FLOOR(n / 3) SECOND
  FROM events e JOIN numbers ON n < 12 WHERE e.id >= 200000;
ANALYZE TABLE events, entries;
