-- After test/support/lookup-tables.sql: tickets whose workspace is that of their event. Events of all workspaces stand in turn, so that no range
-- of ids is of one workspace. The workspaces 1, 20, 500 and 600 have as many events of 12 tickets each.
CREATE TABLE events (id INT NOT NULL PRIMARY KEY, account_id INT NOT NULL, KEY account (account_id)) STATS_AUTO_RECALC=0 STATS_SAMPLE_PAGES=1000;
INSERT INTO events SELECT n * 4, 1 FROM numbers WHERE n < 1;
INSERT INTO events SELECT n * 4 + 1, 20 FROM numbers WHERE n < 20;
INSERT INTO events SELECT n * 4 + 2, 500 FROM numbers WHERE n < 500;
INSERT INTO events SELECT n * 4 + 3, 600 FROM numbers WHERE n < 600;
CREATE TABLE entries LIKE tickets;
ALTER TABLE entries DROP KEY sync, ADD KEY sync (event_id, touched), ADD KEY changes (touched);
INSERT INTO entries SELECT e.id * 100 + n, 0, e.id, n, 1 + n % 3, n % 2, n % 3 = 0, TIMESTAMP('2026-01-01 00:00:00') + INTERVAL FLOOR(n / 3) SECOND
  FROM events e JOIN numbers ON n < 12;
-- 26 has 26 events with 2,300 tickets each; then 7 has one with 3,000 of one time.
INSERT INTO events SELECT 100000 + n * 2, 26 FROM numbers WHERE n < 26;
INSERT INTO entries SELECT e.id * 3000 + n, 0, e.id, n, 1 + n % 3, n % 2, n % 3 = 0,
  TIMESTAMP('2026-01-01 00:00:00') + INTERVAL FLOOR(n / 3) SECOND + INTERVAL e.id % 7 SECOND FROM events e JOIN numbers ON n < 2300 WHERE e.account_id = 26;
INSERT INTO events VALUES (100001, 7);
INSERT INTO entries SELECT 100001 * 3000 + n, 0, 100001, n, 1, 0, 0, '2026-01-02 00:00:00' FROM numbers WHERE n < 3000;
ANALYZE TABLE events, entries;
