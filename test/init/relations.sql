-- A CRM of an association: contacts with several addresses, participants, contributions, one tenant, a prefix.
-- The comment `secret` marks what no one outside may ever see.
CREATE TABLE crm_contact (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  contact_type VARCHAR(64) NULL,
  display_name VARCHAR(128) NULL,
  sort_name VARCHAR(128) NULL,
  first_name VARCHAR(64) NULL,
  last_name VARCHAR(64) NULL,
  api_key VARCHAR(32) NULL COMMENT 'secret',
  hash VARCHAR(32) NULL COMMENT 'secret',
  birth_date DATE NULL,
  is_deleted TINYINT NOT NULL DEFAULT 0,
  created_date TIMESTAMP NULL,
  modified_date TIMESTAMP NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP
);
CREATE TABLE crm_email (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  contact_id INT UNSIGNED NULL,
  email VARCHAR(254) NULL,
  is_primary TINYINT NOT NULL DEFAULT 0,
  CONSTRAINT fk_crm_email FOREIGN KEY (contact_id) REFERENCES crm_contact (id)
);
CREATE TABLE crm_address (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  contact_id INT UNSIGNED NULL,
  street_address VARCHAR(96) NULL COMMENT 'secret',
  city VARCHAR(64) NULL COMMENT 'secret',
  postal_code VARCHAR(64) NULL COMMENT 'secret',
  geo_code_1 DOUBLE NULL,
  CONSTRAINT fk_crm_address FOREIGN KEY (contact_id) REFERENCES crm_contact (id)
);
CREATE TABLE crm_phone (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  contact_id INT UNSIGNED NULL,
  phone VARCHAR(32) NULL COMMENT 'secret',
  phone_ext VARCHAR(16) NULL COMMENT 'secret'
);
CREATE TABLE crm_event (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  title VARCHAR(255) NULL,
  event_type_id INT UNSIGNED NULL,
  start_date DATETIME NULL,
  end_date DATETIME NULL,
  max_participants INT UNSIGNED NULL,
  is_template TINYINT NULL DEFAULT 0,
  created_date DATETIME NULL
);
CREATE TABLE crm_event_type (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  label VARCHAR(80) NOT NULL
);
CREATE TABLE crm_participant_status_type (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(64) NULL,
  label VARCHAR(255) NULL,
  class VARCHAR(16) NULL,
  is_active TINYINT NOT NULL DEFAULT 1
);
CREATE TABLE crm_participant (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  contact_id INT UNSIGNED NOT NULL,
  event_id INT UNSIGNED NOT NULL,
  status_id INT UNSIGNED NOT NULL DEFAULT 1,
  role_id VARCHAR(128) NULL,
  register_date DATETIME NULL,
  source VARCHAR(128) NULL,
  fee_level TEXT NULL,
  fee_amount DECIMAL(20,2) NULL,
  fee_currency VARCHAR(3) NULL,
  is_test TINYINT NOT NULL DEFAULT 0,
  registered_by_id INT UNSIGNED NULL,
  CONSTRAINT fk_p_contact FOREIGN KEY (contact_id) REFERENCES crm_contact (id),
  CONSTRAINT fk_p_event FOREIGN KEY (event_id) REFERENCES crm_event (id),
  CONSTRAINT fk_p_status FOREIGN KEY (status_id) REFERENCES crm_participant_status_type (id)
);
CREATE TABLE crm_contribution (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  contact_id INT UNSIGNED NOT NULL,
  contribution_status ENUM('Pending', 'Completed', 'Cancelled', 'Refunded') NOT NULL,
  receive_date DATETIME NULL,
  non_deductible_amount DECIMAL(20,2) NULL,
  total_amount DECIMAL(20,2) NOT NULL,
  fee_amount DECIMAL(20,2) NULL,
  net_amount DECIMAL(20,2) NULL,
  trxn_id VARCHAR(255) NULL COMMENT 'from the bank',
  invoice_number VARCHAR(255) NULL,
  currency VARCHAR(3) NULL,
  cancel_date DATETIME NULL,
  is_test TINYINT NULL DEFAULT 0,
  is_template TINYINT NOT NULL DEFAULT 0,
  check_number VARCHAR(255) NULL,
  created_date TIMESTAMP NULL,
  modified_date TIMESTAMP NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  KEY contact (contact_id)
);
CREATE TABLE crm_line_item (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  contribution_id INT UNSIGNED NULL,
  label VARCHAR(255) NULL,
  qty DECIMAL(20,2) NOT NULL,
  unit_price DECIMAL(20,2) NOT NULL,
  line_total DECIMAL(20,2) NOT NULL
);
CREATE TABLE crm_payment_token (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  contact_id INT UNSIGNED NOT NULL,
  token VARCHAR(255) NOT NULL COMMENT 'secret',
  masked_account_number VARCHAR(255) NULL COMMENT 'secret',
  billing_first_name VARCHAR(255) NULL,
  ip_address VARCHAR(255) NULL COMMENT 'secret'
);
CREATE TABLE crm_log (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  entity_table VARCHAR(64) NOT NULL,
  entity_id INT UNSIGNED NOT NULL,
  data TEXT NULL,
  modified_date DATETIME NULL
);
INSERT INTO crm_contact (id, contact_type, display_name, first_name, last_name) VALUES
  (1, 'Individual', 'Ada Ames', 'Ada', 'Ames'), (2, 'Individual', 'Bo Brun', 'Bo', 'Brun'), (3, 'Individual', 'Cy Cruz', 'Cy', 'Cruz');
INSERT INTO crm_email (contact_id, email, is_primary) VALUES (1, 'ada@example.com', 1), (2, 'bo@example.com', 1), (3, 'cy@example.com', 1);
INSERT INTO crm_event (id, title, start_date) VALUES (1, 'Ball', '2026-05-01 18:00:00'), (2, 'Meeting', '2026-06-01 18:00:00');
INSERT INTO crm_participant_status_type (id, name, label) VALUES (1, 'Registered', 'Registered'), (2, 'Attended', 'Attended'), (4, 'Cancelled', 'Cancelled');
INSERT INTO crm_participant (contact_id, event_id, status_id, register_date) VALUES
  (1, 1, 1, '2026-01-01 10:00:00'), (2, 1, 2, '2026-01-02 10:00:00'), (3, 2, 4, '2026-01-03 10:00:00'), (1, 2, 1, '2026-01-04 10:00:00');
INSERT INTO crm_contribution (contact_id, contribution_status, receive_date, total_amount, trxn_id, invoice_number, currency, created_date) VALUES
  (1, 'Completed', '2026-01-01 10:00:00', 20.00, 'live_1', 'INV_1', 'USD', '2026-01-01 10:00:00'),
  (2, 'Pending', '2026-01-02 10:00:00', 25.00, 'live_2', 'INV_2', 'USD', '2026-01-02 10:00:00'),
  (3, 'Cancelled', '2026-01-03 10:00:00', 30.00, NULL, 'INV_3', 'USD', '2026-01-03 10:00:00');
INSERT INTO crm_line_item (contribution_id, qty, unit_price, line_total) VALUES (1, 1, 20, 20), (2, 1, 25, 25), (3, 1, 30, 30);
