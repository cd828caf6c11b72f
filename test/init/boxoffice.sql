-- A box office: an order has the times, the account and the buyer of its tickets, a scan at the door is a row of its own, and
-- an invoice is its lines.
CREATE TABLE accounts (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(120) NOT NULL,
  api_secret VARCHAR(80) NOT NULL COMMENT 'secret'
);
CREATE TABLE shows (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id INT UNSIGNED NOT NULL,
  title VARCHAR(200) NOT NULL,
  starts_at DATETIME NOT NULL,
  venue VARCHAR(200) NULL,
  CONSTRAINT show_account FOREIGN KEY (account_id) REFERENCES accounts (id)
);
CREATE TABLE orders (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id INT UNSIGNED NOT NULL,
  email VARCHAR(190) NOT NULL,
  phone VARCHAR(40) NULL COMMENT 'secret',
  refunded_at DATETIME NULL,
  created_at DATETIME NOT NULL,
  updated_at DATETIME NOT NULL,
  KEY account_order (account_id, id),
  CONSTRAINT order_account FOREIGN KEY (account_id) REFERENCES accounts (id)
);
CREATE TABLE tickets (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_id INT UNSIGNED NOT NULL,
  show_id INT UNSIGNED NOT NULL,
  answers JSON NOT NULL,
  holder_email VARCHAR(190) NULL,
  barcode CHAR(16) NOT NULL COMMENT 'secret',
  cancelled TINYINT(1) NOT NULL DEFAULT 0,
  CONSTRAINT ticket_order FOREIGN KEY (order_id) REFERENCES orders (id),
  CONSTRAINT ticket_show FOREIGN KEY (show_id) REFERENCES shows (id)
);
CREATE TABLE ticket_scans (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  ticket_id INT UNSIGNED NOT NULL,
  scan_type ENUM('entry', 'exit') NOT NULL,
  undone TINYINT(1) NOT NULL DEFAULT 0,
  scanned_at DATETIME NOT NULL,
  CONSTRAINT scan_ticket FOREIGN KEY (ticket_id) REFERENCES tickets (id)
);
CREATE TABLE invoices (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id INT UNSIGNED NOT NULL,
  number VARCHAR(20) NOT NULL,
  state VARCHAR(20) NOT NULL,
  settings JSON NOT NULL,
  created_on DATE NOT NULL,
  updated_at DATETIME NOT NULL,
  KEY sync (account_id, updated_at, id),
  CONSTRAINT invoice_account FOREIGN KEY (account_id) REFERENCES accounts (id)
);
CREATE TABLE invoice_lines (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  invoice_id INT UNSIGNED NOT NULL,
  description VARCHAR(200) NOT NULL,
  net_amount DECIMAL(12,2) NOT NULL,
  vat_amount DECIMAL(12,2) NULL,
  CONSTRAINT line_invoice FOREIGN KEY (invoice_id) REFERENCES invoices (id)
);
CREATE TABLE api_keys (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id INT UNSIGNED NOT NULL,
  key_hash CHAR(64) CHARACTER SET ascii NOT NULL,
  scopes VARCHAR(120) NOT NULL,
  revoked_at DATETIME NULL,
  UNIQUE KEY hashes (key_hash)
);
INSERT INTO accounts (name, api_secret) VALUES ('North', 'x'), ('South', 'y');
INSERT INTO shows (account_id, title, starts_at) VALUES (1, 'Opening', '2026-05-01 19:00:00');
INSERT INTO orders (account_id, email, refunded_at, created_at, updated_at) VALUES
  (1, 'a@example.com', NULL, '2026-01-01 10:00:00', '2026-01-02 10:00:00'),
  (1, 'b@example.com', '2026-01-03 10:00:00', '2026-01-01 11:00:00', '2026-01-03 10:00:00');
INSERT INTO tickets (order_id, show_id, answers, holder_email, barcode) VALUES
  (1, 1, '{"holder": {"full_name": "Ada Ames"}, "seat": "A1"}', 'ada@example.com', 'b1'),
  (2, 1, '{"holder": {"full_name": "Bo Bell"}, "seat": "A2"}', NULL, 'b2');
INSERT INTO ticket_scans (ticket_id, scan_type, undone, scanned_at) VALUES
  (1, 'entry', 0, '2026-05-01 18:30:00'), (2, 'entry', 1, '2026-05-01 18:31:00');
INSERT INTO invoices (account_id, number, state, settings, created_on, updated_at) VALUES
  (1, 'I-1', 'sent', '{"billing": {"currency_code": "EUR"}, "language": "de"}', '2026-01-02', '2026-01-02 10:00:00');
INSERT INTO invoice_lines (invoice_id, description, net_amount, vat_amount) VALUES (1, 'Seat', 10.00, 1.90);
INSERT INTO api_keys (account_id, key_hash, scopes) VALUES (1, REPEAT('a', 64), 'registration.read invoices.read');
