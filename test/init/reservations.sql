-- A ticket shop of several organizers: amounts in cents, times as `_ts`, people in the ticket, a reservation is what is paid and what
-- has the number of an invoice, a scan is in an audit table, and no row has the time of its last change.
CREATE TABLE organization (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(255) NOT NULL UNIQUE,
  description VARCHAR(2048) NOT NULL,
  email VARCHAR(2048) NOT NULL,
  slug VARCHAR(50) NULL UNIQUE,
  external_id VARCHAR(255) NULL
);
CREATE TABLE ba_user (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  username VARCHAR(255) NOT NULL UNIQUE,
  password VARCHAR(2048) NOT NULL COMMENT 'secret',
  first_name VARCHAR(255) NOT NULL,
  last_name VARCHAR(255) NOT NULL,
  email_address VARCHAR(255) NOT NULL,
  enabled TINYINT(1) NOT NULL DEFAULT 1,
  user_type VARCHAR(20) NOT NULL DEFAULT 'INTERNAL',
  user_creation_time DATETIME NOT NULL,
  valid_to DATETIME NULL
);
CREATE TABLE authority (username VARCHAR(255) NOT NULL, role VARCHAR(255) NOT NULL, PRIMARY KEY (username, role));
CREATE TABLE j_user_organization (
  user_id INT NOT NULL, org_id INT NOT NULL, PRIMARY KEY (user_id, org_id),
  FOREIGN KEY (user_id) REFERENCES ba_user (id), FOREIGN KEY (org_id) REFERENCES organization (id)
);
CREATE TABLE event (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  short_name VARCHAR(2048) NOT NULL,
  display_name VARCHAR(255) NOT NULL,
  website_url VARCHAR(2048) NOT NULL,
  location VARCHAR(2048) NOT NULL,
  latitude VARCHAR(255) NULL, longitude VARCHAR(255) NULL,
  start_ts TIMESTAMP NOT NULL DEFAULT '2000-01-01', end_ts TIMESTAMP NOT NULL DEFAULT '2000-01-01',
  time_zone VARCHAR(255) NOT NULL,
  src_price_cts INT NOT NULL,
  currency VARCHAR(3) NULL,
  available_seats INT NOT NULL,
  vat_status VARCHAR(50) NOT NULL DEFAULT 'NONE',
  vat DECIMAL(5,2) NOT NULL,
  allowed_payment_proxies VARCHAR(2048) NOT NULL,
  private_key VARCHAR(2048) NOT NULL COMMENT 'secret',
  org_id INT NOT NULL,
  status VARCHAR(50) NOT NULL DEFAULT 'PUBLIC',
  FOREIGN KEY (org_id) REFERENCES organization (id)
);
CREATE TABLE ticket_category (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  inception DATETIME NOT NULL, expiration DATETIME NOT NULL,
  max_tickets INT NOT NULL,
  name VARCHAR(255) NOT NULL,
  src_price_cts INT NOT NULL,
  access_restricted TINYINT(1) NOT NULL,
  tc_status VARCHAR(255) NOT NULL DEFAULT 'ACTIVE',
  event_id INT NOT NULL,
  category_code VARCHAR(30) NULL COMMENT 'secret',
  FOREIGN KEY (event_id) REFERENCES event (id)
);
CREATE TABLE promo_code (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  promo_code VARCHAR(64) NOT NULL COMMENT 'secret',
  event_id_fk INT NULL,
  valid_from DATETIME NOT NULL, valid_to DATETIME NOT NULL,
  discount_amount INT NOT NULL, discount_type VARCHAR(16) NOT NULL,
  FOREIGN KEY (event_id_fk) REFERENCES event (id)
);
CREATE TABLE tickets_reservation (
  id CHAR(36) NOT NULL PRIMARY KEY,
  validity DATETIME NOT NULL,
  status VARCHAR(255) NOT NULL,
  full_name VARCHAR(255) NULL,
  first_name VARCHAR(255) NULL, last_name VARCHAR(255) NULL,
  email_address VARCHAR(255) NULL,
  billing_address VARCHAR(2048) NULL COMMENT 'secret',
  billing_address_company VARCHAR(512) NULL COMMENT 'secret',
  billing_address_zip VARCHAR(255) NULL COMMENT 'secret',
  billing_address_city VARCHAR(512) NULL COMMENT 'secret',
  invoicing_additional_information LONGTEXT NULL COMMENT 'secret',
  confirmation_ts TIMESTAMP NULL,
  latest_reminder_ts TIMESTAMP NULL,
  creation_ts TIMESTAMP NOT NULL DEFAULT '2000-01-01',
  payment_method VARCHAR(255) NULL,
  promo_code_id_fk INT NULL,
  automatic TINYINT(1) NOT NULL DEFAULT 0,
  user_language VARCHAR(20) NULL,
  direct_assignment TINYINT(1) NOT NULL DEFAULT 0,
  invoice_number VARCHAR(255) NULL,
  invoice_model LONGTEXT NULL COMMENT 'secret',
  invoice_requested TINYINT(1) NOT NULL DEFAULT 0,
  vat_status VARCHAR(50) NULL,
  vat_nr VARCHAR(255) NULL COMMENT 'secret',
  vat_country VARCHAR(2) NULL,
  used_vat_percent DECIMAL(5,2) NULL,
  vat_included TINYINT(1) NULL,
  customer_reference VARCHAR(255) NULL,
  src_price_cts INT NULL, final_price_cts INT NULL, vat_cts INT NULL, discount_cts INT NULL,
  currency_code VARCHAR(3) NULL,
  event_id_fk INT NOT NULL,
  FOREIGN KEY (event_id_fk) REFERENCES event (id),
  FOREIGN KEY (promo_code_id_fk) REFERENCES promo_code (id)
);
CREATE TABLE special_price (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  code VARCHAR(64) NOT NULL UNIQUE COMMENT 'secret',
  price_cts INT NOT NULL,
  ticket_category_id INT NOT NULL,
  session_id VARCHAR(255) NULL COMMENT 'secret',
  status VARCHAR(255) NOT NULL,
  sent_ts DATETIME NULL,
  recipient_name VARCHAR(255) NULL, recipient_email VARCHAR(255) NULL,
  FOREIGN KEY (ticket_category_id) REFERENCES ticket_category (id)
);
CREATE TABLE ticket (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  uuid CHAR(36) NOT NULL UNIQUE,
  creation TIMESTAMP NOT NULL DEFAULT '2000-01-01',
  category_id INT NULL,
  status VARCHAR(255) NOT NULL,
  event_id INT NOT NULL,
  src_price_cts INT NOT NULL, final_price_cts INT NULL, vat_cts INT NULL, discount_cts INT NULL,
  currency_code VARCHAR(3) NULL,
  tickets_reservation_id CHAR(36) NULL,
  full_name VARCHAR(255) NULL,
  first_name VARCHAR(255) NULL, last_name VARCHAR(255) NULL,
  email_address VARCHAR(255) NULL,
  special_price_id_fk INT NULL,
  locked_assignment TINYINT(1) NOT NULL DEFAULT 0,
  user_language VARCHAR(20) NULL,
  reminder_sent TINYINT(1) NOT NULL DEFAULT 0,
  ext_reference VARCHAR(255) NULL COMMENT 'secret',
  FOREIGN KEY (category_id) REFERENCES ticket_category (id),
  FOREIGN KEY (event_id) REFERENCES event (id),
  FOREIGN KEY (tickets_reservation_id) REFERENCES tickets_reservation (id),
  FOREIGN KEY (special_price_id_fk) REFERENCES special_price (id)
);
CREATE TABLE ticket_field_configuration (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, event_id_fk INT NOT NULL, field_name VARCHAR(64) NOT NULL, field_order INT NOT NULL, field_type VARCHAR(64) NOT NULL, field_required TINYINT(1) NOT NULL, FOREIGN KEY (event_id_fk) REFERENCES event (id));
CREATE TABLE ticket_field_value (
  ticket_id_fk INT NOT NULL, ticket_field_configuration_id_fk INT NOT NULL,
  field_value VARCHAR(2048) NOT NULL COMMENT 'secret',
  PRIMARY KEY (ticket_id_fk, ticket_field_configuration_id_fk),
  FOREIGN KEY (ticket_id_fk) REFERENCES ticket (id), FOREIGN KEY (ticket_field_configuration_id_fk) REFERENCES ticket_field_configuration (id)
);
CREATE TABLE scan_audit (
  ticket_uuid CHAR(36) NOT NULL, event_id_fk INT NOT NULL,
  scan_ts DATETIME NOT NULL,
  username VARCHAR(255) NOT NULL,
  check_in_status VARCHAR(255) NOT NULL,
  operation VARCHAR(255) NOT NULL,
  KEY (ticket_uuid), FOREIGN KEY (event_id_fk) REFERENCES event (id)
);
CREATE TABLE b_transaction (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  gtw_tx_id VARCHAR(2048) NOT NULL COMMENT 'secret',
  gtw_payment_id VARCHAR(2048) NULL COMMENT 'secret',
  reservation_id CHAR(36) NOT NULL,
  t_timestamp TIMESTAMP NOT NULL DEFAULT '2000-01-01',
  price_cts INT NOT NULL,
  currency VARCHAR(255) NOT NULL,
  description VARCHAR(2048) NOT NULL,
  payment_proxy VARCHAR(2048) NOT NULL,
  plat_fee BIGINT NOT NULL DEFAULT 0, gtw_fee BIGINT NOT NULL DEFAULT 0,
  status VARCHAR(50) NOT NULL DEFAULT 'COMPLETE',
  metadata LONGTEXT NULL COMMENT 'secret',
  FOREIGN KEY (reservation_id) REFERENCES tickets_reservation (id)
);
CREATE TABLE billing_document (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  event_id_fk INT NOT NULL,
  reservation_id_fk CHAR(36) NOT NULL,
  number VARCHAR(255) NOT NULL,
  type VARCHAR(16) NOT NULL,
  model LONGTEXT NOT NULL COMMENT 'secret',
  generation_ts DATETIME NOT NULL,
  status VARCHAR(32) NOT NULL,
  FOREIGN KEY (event_id_fk) REFERENCES event (id), FOREIGN KEY (reservation_id_fk) REFERENCES tickets_reservation (id)
);
CREATE TABLE email_message (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  event_id INT NOT NULL,
  reservation_id CHAR(36) NULL,
  status VARCHAR(255) NOT NULL,
  recipient VARCHAR(255) NOT NULL COMMENT 'secret',
  subject VARCHAR(255) NOT NULL,
  message LONGTEXT NOT NULL COMMENT 'secret',
  attachments LONGTEXT NULL COMMENT 'secret',
  checksum VARCHAR(64) NOT NULL COMMENT 'secret',
  request_ts DATETIME NOT NULL, sent_ts DATETIME NULL,
  FOREIGN KEY (event_id) REFERENCES event (id)
);
CREATE TABLE waiting_queue (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creation DATETIME NOT NULL,
  status VARCHAR(255) NOT NULL,
  event_id INT NOT NULL,
  full_name VARCHAR(255) NULL,
  email_address VARCHAR(255) NULL,
  user_language VARCHAR(20) NULL,
  subscription_type VARCHAR(255) NOT NULL DEFAULT 'SOLD_OUT',
  FOREIGN KEY (event_id) REFERENCES event (id)
);
CREATE TABLE configuration (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, c_key VARCHAR(255) NOT NULL UNIQUE, c_value LONGTEXT NOT NULL COMMENT 'secret', description VARCHAR(2048) NULL);
CREATE TABLE auditing (
  reservation_id CHAR(36) NOT NULL, user_id INT NULL, event_id INT NULL,
  event_type VARCHAR(128) NOT NULL, event_time DATETIME NOT NULL,
  entity_type VARCHAR(64) NOT NULL, entity_id VARCHAR(64) NOT NULL,
  modifications LONGTEXT NULL COMMENT 'secret'
);
INSERT INTO organization VALUES (1, 'North', 'n', 'north@example.com', 'north', NULL), (2, 'South', 's', 'south@example.com', 'south', NULL);
INSERT INTO ba_user VALUES (1, 'admin', 'x', 'Root', 'Root', 'root@example.com', 1, 'INTERNAL', '2026-01-01', NULL);
INSERT INTO authority VALUES ('admin', 'ROLE_ADMIN');
INSERT INTO j_user_organization VALUES (1, 1), (1, 2);
INSERT INTO event (id, short_name, display_name, website_url, location, start_ts, end_ts, time_zone, src_price_cts, currency, available_seats, vat, allowed_payment_proxies, private_key, org_id) VALUES
  (1, 'jazz', 'Jazz', 'https://example.com', 'Hall', '2026-05-01', '2026-05-02', 'Europe/Zurich', 2000, 'CHF', 100, 7.7, 'STRIPE', 'x', 1), (2, 'talks', 'Talks', 'https://example.com', 'Hall', '2026-06-01', '2026-06-02', 'Europe/Zurich', 1000, 'EUR', 100, 7.7, 'STRIPE', 'x', 2);
INSERT INTO ticket_category (id, inception, expiration, max_tickets, name, src_price_cts, access_restricted, event_id) VALUES (1, '2026-01-01', '2026-05-01', 50, 'Normal', 2000, 0, 1), (2, '2026-01-01', '2026-06-01', 50, 'Normal', 1000, 0, 2);
INSERT INTO tickets_reservation (id, validity, status, full_name, first_name, last_name, email_address, confirmation_ts, creation_ts, payment_method, invoice_number, invoice_requested, used_vat_percent, vat_included, src_price_cts, final_price_cts, vat_cts, discount_cts, currency_code, event_id_fk)
  WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 30)
  SELECT CONCAT('00000000-0000-0000-0000-', LPAD(i, 12, '0')), '2026-03-01', ELT(1 + i % 5, 'COMPLETE', 'COMPLETE', 'PENDING', 'OFFLINE_PAYMENT', 'CANCELLED'), CONCAT('Kim ', i), 'Kim', CONCAT('N', i), CONCAT('kim', i, '@example.com'), IF(i % 5 < 2, '2026-02-02', NULL), '2026-02-01' + INTERVAL i HOUR, 'STRIPE', IF(i % 5 < 2, CONCAT('INV-', i), NULL), i % 2, 7.7, 1, 2000, 2154, 154, 0, IF(i % 2 = 0, 'CHF', 'EUR'), 1 + i % 2 FROM n;
INSERT INTO ticket (id, uuid, creation, category_id, status, event_id, src_price_cts, final_price_cts, vat_cts, discount_cts, currency_code, tickets_reservation_id, full_name, first_name, last_name, email_address)
  SELECT ROW_NUMBER() OVER (ORDER BY id), REPLACE(id, '00000000-', '11111111-'), creation_ts, event_id_fk, ELT(1 + vat_cts % 7 , 'ACQUIRED', 'ACQUIRED', 'CHECKED_IN', 'PENDING', 'TO_BE_PAID', 'CANCELLED', 'CHECKED_IN'), event_id_fk, 2000, 2154, 154, 0, currency_code, id, full_name, first_name, last_name, email_address FROM tickets_reservation;
UPDATE ticket SET status = ELT(1 + id % 6, 'ACQUIRED', 'CHECKED_IN', 'PENDING', 'TO_BE_PAID', 'CANCELLED', 'CHECKED_IN');
INSERT INTO scan_audit SELECT uuid, event_id, '2026-05-01 10:00:00' + INTERVAL id MINUTE, 'admin', 'SUCCESS', 'SCAN' FROM ticket WHERE status = 'CHECKED_IN';
INSERT INTO b_transaction (gtw_tx_id, gtw_payment_id, reservation_id, t_timestamp, price_cts, currency, description, payment_proxy) SELECT CONCAT('ch_', event_id_fk), 'pi', id, confirmation_ts, 2154, 'CHF', 'x', 'STRIPE' FROM tickets_reservation WHERE confirmation_ts IS NOT NULL;
INSERT INTO billing_document (event_id_fk, reservation_id_fk, number, type, model, generation_ts, status) SELECT event_id_fk, id, invoice_number, 'INVOICE', '{}', confirmation_ts, 'VALID' FROM tickets_reservation WHERE invoice_number IS NOT NULL;
INSERT INTO email_message (event_id, reservation_id, status, recipient, subject, message, checksum, request_ts) SELECT event_id_fk, id, 'SENT', email_address, 'x', 'x', 'x', creation_ts FROM tickets_reservation;
INSERT INTO waiting_queue (creation, status, event_id, full_name, email_address) VALUES ('2026-02-01', 'WAITING', 1, 'Cy Cole', 'cy@example.com');
INSERT INTO configuration (c_key, c_value) VALUES ('BASE_URL', 'x'), ('STRIPE_SECRET_KEY', 'x'), ('VAT_NR', 'x');
