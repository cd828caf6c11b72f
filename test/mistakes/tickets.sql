-- Tenants, events, tickets of persons; integers, a zone beside TIMESTAMP, soft deletion, codes, a key-value table.
CREATE TABLE numbers (n INT PRIMARY KEY);
INSERT INTO numbers WITH RECURSIVE seq AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM seq WHERE n < 80) SELECT n FROM seq;
CREATE TABLE api_keys (key_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY, of_account INT NOT NULL, revoked_at DATETIME NULL);
CREATE TABLE accounts (id INT PRIMARY KEY, name VARCHAR(80) NOT NULL);
INSERT INTO accounts VALUES (1, 'One'), (2, 'Two');
CREATE TABLE events (id INT PRIMARY KEY, account_id INT NOT NULL REFERENCES accounts (id), title VARCHAR(80) NOT NULL);
INSERT INTO events VALUES (1, 1, 'Fair'), (2, 1, 'Gala'), (3, 2, 'Expo'), (4, 2, 'Show');
CREATE TABLE venues (id INT PRIMARY KEY, account_id INT NOT NULL);
CREATE TABLE people (id INT PRIMARY KEY, full_name VARCHAR(80) NOT NULL, mail VARCHAR(80) NOT NULL, password_hash VARCHAR(80) NOT NULL);
INSERT INTO people (id, full_name, mail, password_hash)
  SELECT n, CONCAT('Ana Maria ', CHAR(65 + n % 26), n), CONCAT('p', n, '@example.com'), LEFT(SHA2(n, 256), 32) FROM numbers;
CREATE TABLE staff (id INT PRIMARY KEY, full_name VARCHAR(80) NOT NULL, mail VARCHAR(80) NOT NULL);
INSERT INTO staff (id, full_name, mail)
  SELECT n, CONCAT('Staff ', CHAR(65 + n % 26), n), CONCAT('s', n, '@example.com') FROM numbers;
CREATE TABLE tickets (id INT PRIMARY KEY, account_id INT NOT NULL, buyer_account INT NOT NULL, event_id INT NOT NULL, order_no INT NOT NULL, venue_id INT NOT NULL DEFAULT 1, person_id INT NOT NULL, staff_id INT NOT NULL,
  state TINYINT NOT NULL, kind VARCHAR(10) NOT NULL DEFAULT 'paid', title VARCHAR(80) NOT NULL DEFAULT 'Ticket', secret CHAR(32) NOT NULL, barcode CHAR(32) NOT NULL, line VARCHAR(20) NOT NULL, phone VARCHAR(20) NOT NULL, contact VARCHAR(80) NOT NULL,
  city VARCHAR(80) CHARACTER SET latin1 NOT NULL, used TINYINT NOT NULL, printed TINYINT NOT NULL DEFAULT 1, scanned_at DATETIME NULL, created_at DATETIME NOT NULL, created_utc TIMESTAMP NOT NULL, updated_at DATETIME NOT NULL,
  first_changed DATETIME NULL, made_ms BIGINT NOT NULL, deleted_at DATETIME NULL, hidden_at DATETIME NULL, FOREIGN KEY (person_id) REFERENCES people (id), KEY ix (account_id, updated_at, id), KEY ev (account_id, event_id, updated_at, id), KEY st (account_id, state, updated_at, id));
SET time_zone = '+00:00';
SET sql_mode = '';
INSERT INTO tickets (id, account_id, buyer_account, event_id, order_no, person_id, staff_id, state, secret, barcode, line, phone, contact, city, used, scanned_at, created_at, created_utc, updated_at, first_changed, made_ms, deleted_at, hidden_at)
  SELECT n, 1 + (n % 4 > 1), 100 + n % 7, 1 + n % 4, n + 500, n, 81 - n, 1 + n % 3, LEFT(SHA2(n, 256), 32), LEFT(SHA2(n + 1, 256), 32), CONCAT('+49 30 ', 1000 + n), CONCAT('+49 30 ', 1000 + n), 'office@example.com', CONVERT(CAST(CONVERT(CONCAT('Zoë Müller ', n) USING utf8mb4) AS BINARY) USING latin1), n % 2,
  IF(n % 2, NOW() - INTERVAL 3 DAY, NULL), NOW() + INTERVAL 2 HOUR - INTERVAL n + 400 HOUR, NOW() - INTERVAL n + 400 HOUR, NOW() + INTERVAL 2 HOUR - INTERVAL n * 440 MINUTE, IF(n % 3, NULL, NOW() + INTERVAL 2 HOUR - INTERVAL n * 440 MINUTE), 1000 * UNIX_TIMESTAMP() - n * 1000, IF(n % 8, NULL, NOW()), IF(n % 9, NULL, '0000-00-00') FROM numbers;
CREATE TABLE ticket_meta (id INT AUTO_INCREMENT PRIMARY KEY, ticket_id INT NOT NULL, meta_key INT NOT NULL, meta_value VARCHAR(80) NOT NULL, KEY (ticket_id, meta_key));
INSERT INTO ticket_meta (ticket_id, meta_key, meta_value)
  SELECT n, 1, CONCAT('p', n, '@example.com') FROM numbers;
INSERT INTO ticket_meta (ticket_id, meta_key, meta_value)
  SELECT n, 2, CONCAT('1990-01-', 10 + n % 18) FROM numbers;
DROP TABLE numbers;
