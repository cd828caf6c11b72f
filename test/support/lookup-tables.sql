-- Tables that are made for measuring: tickets of one great workspace with what they look up, filled from a table of numbers.
CREATE TABLE digits (d INT NOT NULL PRIMARY KEY);
INSERT INTO digits VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
CREATE TABLE numbers (n INT NOT NULL PRIMARY KEY);
INSERT INTO numbers SELECT a.d + 10 * b.d + 100 * c.d + 1000 * d.d + 10000 * e.d + 100000 * f.d
  FROM digits f CROSS JOIN digits e CROSS JOIN digits d CROSS JOIN digits c CROSS JOIN digits b CROSS JOIN digits a WHERE f.d < 3;
CREATE TABLE api_keys (key_hash CHAR(64) NOT NULL, account_id INT NOT NULL);
CREATE TABLE people_3 (id INT NOT NULL PRIMARY KEY, name VARCHAR(80) NOT NULL, filler VARCHAR(80) NOT NULL);
INSERT INTO people_3 SELECT n, CONCAT('Person ', n), REPEAT('x', 60) FROM numbers WHERE n < 3;
CREATE TABLE mails_3 (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, code INT NOT NULL, mail VARCHAR(80) NOT NULL, UNIQUE KEY code (code));
INSERT INTO mails_3 (code, mail) SELECT n, CONCAT('person', n, '@example.com') FROM numbers WHERE n < 3;
CREATE TABLE states (id INT NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL);
INSERT INTO states VALUES (1, 'Paid'), (2, 'Open'), (3, 'Settled'), (4, 'Rare');
-- Counted from many pages by ANALYZE TABLE alone, so that the plans of a test are the same on each run.
CREATE TABLE tickets (
  id INT NOT NULL PRIMARY KEY, account_id INT NOT NULL, event_id INT NOT NULL, person INT NOT NULL, state_id INT NOT NULL,
  is_cancelled TINYINT NOT NULL, is_paid TINYINT NOT NULL, touched DATETIME NOT NULL, KEY sync (account_id, touched)
) STATS_AUTO_RECALC=0 STATS_SAMPLE_PAGES=1000;
ANALYZE TABLE people_3, mails_3, states;
