-- The tickets and invoices of a shop with Django's names: times on the order only, check-ins in a table of their own,
-- invoices with a day, lines and no total.
CREATE TABLE pretixbase_organizer (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(200) NOT NULL,
  slug VARCHAR(50) NOT NULL UNIQUE
);
CREATE TABLE pretixbase_event (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  organizer_id BIGINT NOT NULL,
  slug VARCHAR(50) NOT NULL,
  currency VARCHAR(10) NOT NULL,
  date_from DATETIME(6) NOT NULL,
  live TINYINT(1) NOT NULL,
  CONSTRAINT event_organizer FOREIGN KEY (organizer_id) REFERENCES pretixbase_organizer (id)
);
CREATE TABLE pretixbase_order (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  organizer_id BIGINT NOT NULL,
  event_id BIGINT NOT NULL,
  code VARCHAR(16) NOT NULL,
  status VARCHAR(3) NOT NULL,
  email VARCHAR(254) NULL,
  phone VARCHAR(128) NULL COMMENT 'secret',
  secret VARCHAR(32) NOT NULL COMMENT 'secret',
  datetime DATETIME(6) NOT NULL,
  last_modified DATETIME(6) NOT NULL,
  KEY modified (organizer_id, last_modified),
  CONSTRAINT order_organizer FOREIGN KEY (organizer_id) REFERENCES pretixbase_organizer (id),
  CONSTRAINT order_event FOREIGN KEY (event_id) REFERENCES pretixbase_event (id)
);
CREATE TABLE pretixbase_orderposition (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_id BIGINT NOT NULL,
  attendee_name_cached VARCHAR(255) NULL,
  attendee_email VARCHAR(254) NULL,
  street LONGTEXT NULL COMMENT 'secret',
  secret VARCHAR(255) NOT NULL COMMENT 'secret',
  pseudonymization_id VARCHAR(16) NOT NULL COMMENT 'secret',
  price DECIMAL(13,2) NOT NULL,
  tax_rate DECIMAL(7,2) NOT NULL,
  tax_value DECIMAL(13,2) NOT NULL,
  canceled TINYINT(1) NOT NULL,
  CONSTRAINT position_order FOREIGN KEY (order_id) REFERENCES pretixbase_order (id)
);
CREATE TABLE pretixbase_checkin (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  position_id BIGINT NOT NULL,
  datetime DATETIME(6) NOT NULL,
  type VARCHAR(100) NOT NULL,
  successful TINYINT(1) NOT NULL,
  raw_barcode LONGTEXT NULL COMMENT 'secret',
  CONSTRAINT checkin_position FOREIGN KEY (position_id) REFERENCES pretixbase_orderposition (id)
);
CREATE TABLE pretixbase_invoice (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_id BIGINT NOT NULL,
  event_id BIGINT NOT NULL,
  full_invoice_no VARCHAR(190) NOT NULL,
  date DATE NOT NULL,
  is_cancellation TINYINT(1) NOT NULL,
  invoice_to LONGTEXT NOT NULL,
  invoice_to_vat_id VARCHAR(255) NULL COMMENT 'secret',
  CONSTRAINT invoice_order FOREIGN KEY (order_id) REFERENCES pretixbase_order (id),
  CONSTRAINT invoice_event FOREIGN KEY (event_id) REFERENCES pretixbase_event (id)
);
CREATE TABLE pretixbase_invoiceline (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  invoice_id BIGINT NOT NULL,
  position INT NOT NULL,
  description LONGTEXT NOT NULL,
  attendee_name LONGTEXT NULL,
  gross_value DECIMAL(13,2) NOT NULL,
  tax_value DECIMAL(13,2) NOT NULL,
  tax_rate DECIMAL(7,2) NOT NULL,
  CONSTRAINT line_invoice FOREIGN KEY (invoice_id) REFERENCES pretixbase_invoice (id)
);
CREATE TABLE pretixbase_orderpayment (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_id BIGINT NOT NULL,
  amount DECIMAL(13,2) NOT NULL,
  tax_amount DECIMAL(13,2) NOT NULL,
  state VARCHAR(190) NOT NULL,
  info LONGTEXT NULL COMMENT 'secret',
  CONSTRAINT payment_order FOREIGN KEY (order_id) REFERENCES pretixbase_order (id)
);
INSERT INTO pretixbase_organizer VALUES (1, 'North', 'north'), (2, 'South', 'south');
INSERT INTO pretixbase_event VALUES (1, 1, 'conf', 'EUR', '2026-05-01', 1), (2, 2, 'days', 'USD', '2026-06-01', 1);
INSERT INTO pretixbase_order VALUES
  (1, 1, 1, 'A1', 'p', 'ada@example.com', NULL, 'x', '2026-01-01', '2026-01-01'),
  (2, 2, 2, 'B2', 'n', 'bo@example.com', NULL, 'y', '2026-01-02', '2026-01-02'),
  (3, 2, 2, 'B3', 'c', 'cy@example.com', NULL, 'z', '2026-01-03', '2026-01-03');
INSERT INTO pretixbase_orderposition VALUES
  (1, 1, 'Ada Ames', 'ada@example.com', NULL, 'x', 'P1', 10, 19, 1.6, 0),
  (2, 2, 'Bo Brun', NULL, NULL, 'y', 'P2', 20, 0, 0, 1);
INSERT INTO pretixbase_checkin VALUES (1, 1, '2026-05-01', 'entry', 1, NULL), (2, 1, '2026-05-01', 'exit', 1, NULL), (3, 2, '2026-05-01', 'entry', 0, NULL);
INSERT INTO pretixbase_invoice VALUES (1, 1, 1, 'N-1', '2026-01-02', 0, 'Ada', NULL), (2, 2, 2, 'S-1', '2026-01-03', 0, 'Bo', NULL);
INSERT INTO pretixbase_invoiceline VALUES (1, 1, 1, 'Ticket', NULL, 10, 1.6, 19), (2, 2, 1, 'Ticket', NULL, 20, 0, 0);
INSERT INTO pretixbase_orderpayment VALUES (1, 1, 10, 1.6, 'confirmed', NULL);
