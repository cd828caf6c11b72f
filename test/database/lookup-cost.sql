-- After test/support/lookup-tables.sql: larger lookups, and the rows.
CREATE TABLE people_300 LIKE people_3;
INSERT INTO people_300 SELECT n, CONCAT('Person ', n), REPEAT('x', 60) FROM numbers WHERE n < 300;
CREATE TABLE people_300000 LIKE people_3;
INSERT INTO people_300000 SELECT n, CONCAT('Person ', n), REPEAT('x', 60) FROM numbers WHERE n < 300000;
CREATE TABLE mails_300 LIKE mails_3;
INSERT INTO mails_300 (code, mail) SELECT n, CONCAT('person', n, '@example.com') FROM numbers WHERE n < 300;
CREATE TABLE mails_300000 LIKE mails_3;
INSERT INTO mails_300000 (code, mail) SELECT n, CONCAT('person', n, '@example.com') FROM numbers WHERE n < 300000;
-- A log: 2,000 scans of each of the first persons, in turns in and out.
CREATE TABLE scans (id INT PRIMARY KEY, person INT NOT NULL, is_test TINYINT NOT NULL, KEY person (person));
INSERT INTO scans SELECT n, n % 10, n >= 19990 FROM numbers WHERE n < 20000;
-- 10,000 pages of five; three tickets in turn have the same time.
INSERT INTO tickets SELECT n, 1, n % 7, n % 300000, IF(n % 1000 = 999, 4, 1 + n % 3), n % 2, n % 3 = 0,
  TIMESTAMP('2026-01-01 00:00:00') + INTERVAL FLOOR(n / 3) SECOND FROM numbers WHERE n < 50010;
-- Another workspace, whose entries lie between those of the first in time.
INSERT INTO tickets SELECT 1000000 + n, 2, n % 7, n, 1, 0, 0, TIMESTAMP('2026-01-01 00:00:00') + INTERVAL FLOOR(n / 3) SECOND FROM numbers WHERE n < 3000;
-- Bills of three lines each.
CREATE TABLE bills (id INT PRIMARY KEY, account_id INT NOT NULL, no VARCHAR(9) NOT NULL, made DATETIME NOT NULL, touched DATETIME NOT NULL, KEY sync (account_id, touched, id));
INSERT INTO bills SELECT n, 1, n, '2026-01-01', TIMESTAMP('2026-01-01') + INTERVAL n SECOND FROM numbers WHERE n < 20000;
CREATE TABLE bill_lines (id INT PRIMARY KEY, bill_id INT NOT NULL, net DECIMAL(18, 4) NOT NULL, voided TINYINT NOT NULL, gross INT NULL, KEY of_bill (bill_id));
INSERT INTO bill_lines SELECT n, n DIV 3, n / 100, n % 3 = 1, IF(n % 6 = 0, NULL, n) FROM numbers WHERE n < 60000;
-- A time of change that is NULL until the first change.
CREATE TABLE attendees (id INT PRIMARY KEY, account_id INT NOT NULL, state VARCHAR(9) NOT NULL, created_at DATETIME(3) NOT NULL,
  updated_at DATETIME(3) NULL, KEY changed (account_id, updated_at, id), KEY unchanged (account_id, updated_at, created_at, id));
INSERT INTO attendees SELECT n, 1, 'x', TIMESTAMP('2026-01-01') + INTERVAL n SECOND,
  IF(n % 3 = 0, NULL, TIMESTAMP('2026-01-01') + INTERVAL 2 * n SECOND) FROM numbers WHERE n < 20000;
ANALYZE TABLE people_300, people_300000, mails_300, mails_300000, scans, tickets, bills, bill_lines, attendees;
