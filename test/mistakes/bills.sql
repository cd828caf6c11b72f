-- One owner; bills in cents of two currencies, UUIDs as bytes, settings, a time of change that is NULL at first.
CREATE TABLE numbers (n INT PRIMARY KEY);
INSERT INTO numbers WITH RECURSIVE seq AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM seq WHERE n < 80) SELECT n FROM seq;
CREATE TABLE api_keys (key_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY, of_account INT NOT NULL, revoked_at DATETIME NULL);
CREATE TABLE settings (name VARCHAR(40) PRIMARY KEY, value VARCHAR(80) NOT NULL);
INSERT INTO settings VALUES ('default_currency', 'EUR'), ('theme', 'dark');
CREATE TABLE clients (id INT PRIMARY KEY, company VARCHAR(80) NOT NULL);
INSERT INTO clients VALUES (1, 'North'), (2, 'South'), (3, 'East');
CREATE TABLE quotes (id INT PRIMARY KEY, client_id INT NOT NULL);
CREATE TABLE projects (id INT PRIMARY KEY, client_id INT NOT NULL);
CREATE TABLE notes (id INT PRIMARY KEY, client_id INT NOT NULL);
CREATE TABLE bills (uid BINARY(16) PRIMARY KEY, client_id INT NOT NULL, number VARCHAR(20) NOT NULL, client_ref VARCHAR(20) NOT NULL, phase VARCHAR(10) NOT NULL, flavour VARCHAR(10) NOT NULL DEFAULT 'std', amount BIGINT NOT NULL,
  due_amount DECIMAL(12,2) NOT NULL, tax DECIMAL(12,2) NOT NULL DEFAULT 7, net DECIMAL(12,2) AS (amount / 107), doc_type VARCHAR(20) NOT NULL, approved TINYINT NOT NULL, paid_on DATE NULL, yen INT NOT NULL, cur CHAR(3) NOT NULL, issued DATE NOT NULL, due DATE NOT NULL, made DATETIME NOT NULL, touched DATETIME NOT NULL, never DATETIME NULL, is_test TINYINT NOT NULL, KEY ix (touched, uid));
INSERT INTO bills (uid, client_id, number, client_ref, phase, amount, due_amount, doc_type, approved, yen, cur, issued, due, made, touched, is_test)
  SELECT UNHEX(CONCAT(LPAD(HEX(n * 7919), 8, '0'), 'ABCD', '4', LPAD(HEX(n), 3, '0'), '8', LPAD(HEX(n), 3, '0'), LPAD(HEX(n * 104729), 12, '0'))), 1 + n % 3, CONCAT('B-', 1000 + n), CONCAT('C', n % 3), ELT(1 + n % 3, 'OPEN', 'PAID', 'VOID'), 100 * n + n % 90,
  IF(n % 3, 0, n), IF(n % 20 = 1, 'quote', 'invoice'), n % 20 <> 2, 100 * n, IF(n % 4, 'EUR', 'USD'), CURDATE() - INTERVAL n DAY, CURDATE() - INTERVAL n - 14 DAY, NOW() - INTERVAL n DAY, NOW() - INTERVAL n DAY, n % 20 = 0 FROM numbers;
DROP TABLE numbers;
