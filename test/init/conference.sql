-- A conference system with Django's names: an order has positions, a position is a person; invoices by lines only.
CREATE TABLE base_organizer (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(200) NOT NULL,
  slug VARCHAR(50) NOT NULL UNIQUE
);
CREATE TABLE base_user (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  email VARCHAR(190) NOT NULL UNIQUE,
  password VARCHAR(128) NOT NULL COMMENT 'secret',
  session_token VARCHAR(32) NULL COMMENT 'secret',
  last_login DATETIME(6) NULL
);
CREATE TABLE base_event (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  organizer_id BIGINT NOT NULL,
  name LONGTEXT NOT NULL,
  slug VARCHAR(50) NOT NULL,
  currency VARCHAR(10) NOT NULL,
  date_from DATETIME(6) NOT NULL,
  date_to DATETIME(6) NULL,
  live TINYINT(1) NOT NULL,
  CONSTRAINT event_organizer FOREIGN KEY (organizer_id) REFERENCES base_organizer (id)
);
CREATE TABLE base_order (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  event_id BIGINT NOT NULL,
  code VARCHAR(16) NOT NULL,
  status VARCHAR(3) NOT NULL,
  secret VARCHAR(32) NOT NULL COMMENT 'secret',
  email VARCHAR(254) NULL,
  phone VARCHAR(128) NULL COMMENT 'secret',
  datetime DATETIME(6) NOT NULL,
  total DECIMAL(13,2) NOT NULL,
  testmode TINYINT(1) NOT NULL,
  last_modified DATETIME(6) NOT NULL,
  CONSTRAINT order_event FOREIGN KEY (event_id) REFERENCES base_event (id)
);
CREATE TABLE base_item (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  event_id BIGINT NOT NULL,
  name LONGTEXT NOT NULL,
  default_price DECIMAL(13,2) NULL,
  CONSTRAINT item_event FOREIGN KEY (event_id) REFERENCES base_event (id)
);
CREATE TABLE base_orderposition (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_id BIGINT NOT NULL,
  item_id BIGINT NOT NULL,
  positionid INT UNSIGNED NOT NULL,
  attendee_name VARCHAR(255) NULL,
  attendee_email VARCHAR(254) NULL,
  street LONGTEXT NULL COMMENT 'secret',
  secret VARCHAR(255) NOT NULL COMMENT 'secret',
  web_secret VARCHAR(32) NOT NULL COMMENT 'secret',
  price DECIMAL(13,2) NOT NULL,
  canceled TINYINT(1) NOT NULL,
  created DATETIME(6) NOT NULL,
  modified DATETIME(6) NOT NULL,
  CONSTRAINT position_order FOREIGN KEY (order_id) REFERENCES base_order (id),
  CONSTRAINT position_item FOREIGN KEY (item_id) REFERENCES base_item (id)
);
CREATE TABLE base_checkin (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  position_id BIGINT NOT NULL,
  datetime DATETIME(6) NOT NULL,
  raw_barcode LONGTEXT NULL COMMENT 'secret',
  CONSTRAINT checkin_position FOREIGN KEY (position_id) REFERENCES base_orderposition (id)
);
CREATE TABLE base_invoice (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  organizer_id BIGINT NOT NULL,
  event_id BIGINT NOT NULL,
  order_id BIGINT NOT NULL,
  prefix VARCHAR(160) NOT NULL,
  invoice_no VARCHAR(19) NOT NULL,
  full_invoice_no VARCHAR(190) NOT NULL,
  date DATE NOT NULL,
  is_cancellation TINYINT(1) NOT NULL,
  invoice_to LONGTEXT NOT NULL,
  invoice_to_vat_id VARCHAR(255) NULL COMMENT 'secret',
  gross_total DECIMAL(13,2) NOT NULL,
  foreign_currency_display VARCHAR(50) NULL,
  sent_to_customer DATETIME(6) NULL,
  created DATETIME(6) NOT NULL,
  modified DATETIME(6) NOT NULL,
  CONSTRAINT invoice_organizer FOREIGN KEY (organizer_id) REFERENCES base_organizer (id),
  CONSTRAINT invoice_event FOREIGN KEY (event_id) REFERENCES base_event (id),
  CONSTRAINT invoice_order FOREIGN KEY (order_id) REFERENCES base_order (id)
);
CREATE TABLE base_invoiceline (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  invoice_id BIGINT NOT NULL,
  description LONGTEXT NOT NULL,
  gross_value DECIMAL(13,2) NOT NULL,
  tax_rate DECIMAL(7,2) NOT NULL,
  CONSTRAINT line_invoice FOREIGN KEY (invoice_id) REFERENCES base_invoice (id)
);
CREATE TABLE base_orderpayment (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_id BIGINT NOT NULL,
  amount DECIMAL(13,2) NOT NULL,
  state VARCHAR(190) NOT NULL,
  info LONGTEXT NULL,
  created DATETIME(6) NOT NULL
);
CREATE TABLE oauth_accesstoken (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id BIGINT NULL,
  token VARCHAR(255) NOT NULL COMMENT 'secret',
  expires DATETIME(6) NOT NULL
);
INSERT INTO base_organizer VALUES (1, 'North', 'north'), (2, 'South', 'south');
INSERT INTO base_event VALUES (1, 1, 'Conf', 'conf', 'EUR', '2026-05-01', NULL, 1), (2, 2, 'Days', 'days', 'USD', '2026-06-01', NULL, 1);
INSERT INTO base_item VALUES (1, 1, 'Ticket', 10), (2, 2, 'Ticket', 20);
INSERT INTO base_order VALUES (1, 1, 'A1', 'p', 's1', 'ada@example.com', NULL, '2026-01-01', 10, 0, '2026-01-01'), (2, 2, 'B2', 'n', 's2', 'bo@example.com', NULL, '2026-01-02', 20, 0, '2026-01-02');
INSERT INTO base_orderposition VALUES (1, 1, 1, 1, 'Ada Ames', 'ada@example.com', NULL, 'x', 'w', 10, 0, '2026-01-01', '2026-01-01'),
  (2, 2, 2, 1, 'Bo Brun', 'bo@example.com', NULL, 'y', 'v', 20, 1, '2026-01-02', '2026-01-02');
INSERT INTO base_invoice VALUES (1, 1, 1, 1, 'N-', '1', 'N-1', '2026-01-02', 0, 'Ada', NULL, 10, NULL, NULL, '2026-01-02', '2026-01-02'),
  (2, 2, 2, 2, 'S-', '1', 'S-1', '2026-01-03', 0, 'Bo', NULL, 20, NULL, NULL, '2026-01-03', '2026-01-03');
INSERT INTO base_invoiceline VALUES (1, 1, 'Ticket', 10, 19), (2, 2, 'Ticket', 20, 0);
