-- A content management system with an extension for events: a registrant is a booking, a person and an invoice in one row, states
-- are numbers in a column `published`, the configuration is keys and values, no row has the time of its last change, no tenant.
CREATE TABLE jos_users (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(400) NOT NULL DEFAULT '',
  username VARCHAR(150) NOT NULL DEFAULT '',
  email VARCHAR(100) NOT NULL DEFAULT '',
  password VARCHAR(100) NOT NULL DEFAULT '' COMMENT 'secret',
  block TINYINT NOT NULL DEFAULT 0,
  sendEmail TINYINT NULL DEFAULT 0,
  registerDate DATETIME NOT NULL,
  lastvisitDate DATETIME NULL,
  activation VARCHAR(100) NOT NULL DEFAULT '' COMMENT 'secret',
  params TEXT NOT NULL,
  lastResetTime DATETIME NULL,
  resetCount INT NOT NULL DEFAULT 0,
  otpKey VARCHAR(1000) NOT NULL DEFAULT '' COMMENT 'secret',
  otep VARCHAR(1000) NOT NULL DEFAULT '' COMMENT 'secret',
  requireReset TINYINT NOT NULL DEFAULT 0,
  UNIQUE KEY idx_username (username),
  KEY email (email)
);
CREATE TABLE jos_user_keys (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id VARCHAR(150) NOT NULL,
  token VARCHAR(255) NOT NULL COMMENT 'secret',
  series VARCHAR(191) NOT NULL COMMENT 'secret',
  time VARCHAR(200) NOT NULL,
  uastring VARCHAR(255) NOT NULL,
  UNIQUE KEY series (series)
);
CREATE TABLE jos_user_profiles (
  user_id INT NOT NULL,
  profile_key VARCHAR(100) NOT NULL,
  profile_value TEXT NOT NULL COMMENT 'secret',
  ordering INT NOT NULL DEFAULT 0,
  UNIQUE KEY idx_user_id_profile_key (user_id, profile_key)
);
CREATE TABLE jos_usergroups (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  parent_id INT UNSIGNED NOT NULL DEFAULT 0,
  lft INT NOT NULL DEFAULT 0,
  rgt INT NOT NULL DEFAULT 0,
  title VARCHAR(100) NOT NULL DEFAULT ''
);
CREATE TABLE jos_user_usergroup_map (
  user_id INT UNSIGNED NOT NULL,
  group_id INT UNSIGNED NOT NULL,
  PRIMARY KEY (user_id, group_id)
);
CREATE TABLE jos_session (
  session_id VARBINARY(192) NOT NULL PRIMARY KEY COMMENT 'secret',
  client_id TINYINT UNSIGNED NULL,
  guest TINYINT UNSIGNED NULL DEFAULT 1,
  time INT NOT NULL DEFAULT 0,
  data MEDIUMTEXT NULL COMMENT 'secret',
  userid INT NULL DEFAULT 0,
  username VARCHAR(150) NULL DEFAULT ''
);
CREATE TABLE jos_action_logs (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  message_language_key VARCHAR(255) NOT NULL DEFAULT '',
  message TEXT NOT NULL,
  log_date DATETIME NOT NULL,
  extension VARCHAR(50) NOT NULL DEFAULT '',
  user_id INT NOT NULL DEFAULT 0,
  item_id INT NOT NULL DEFAULT 0,
  ip_address VARCHAR(40) NOT NULL DEFAULT '0.0.0.0' COMMENT 'secret'
);
CREATE TABLE jos_extensions (
  extension_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(100) NOT NULL,
  type VARCHAR(20) NOT NULL,
  element VARCHAR(100) NOT NULL,
  enabled TINYINT NOT NULL DEFAULT 0,
  params TEXT NOT NULL
);
CREATE TABLE jos_content (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  title VARCHAR(255) NOT NULL DEFAULT '',
  alias VARCHAR(400) NOT NULL DEFAULT '',
  introtext MEDIUMTEXT NOT NULL,
  state TINYINT NOT NULL DEFAULT 0,
  catid INT UNSIGNED NOT NULL DEFAULT 0,
  created DATETIME NOT NULL,
  created_by INT UNSIGNED NOT NULL DEFAULT 0,
  modified DATETIME NOT NULL,
  publish_up DATETIME NULL,
  hits INT UNSIGNED NOT NULL DEFAULT 0
);
CREATE TABLE jos_messages (
  message_id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id_from INT UNSIGNED NOT NULL DEFAULT 0,
  user_id_to INT UNSIGNED NOT NULL DEFAULT 0,
  date_time DATETIME NOT NULL,
  state TINYINT NOT NULL DEFAULT 0,
  subject VARCHAR(255) NOT NULL DEFAULT '',
  message TEXT NOT NULL
);
CREATE TABLE jos_eb_categories (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  parent INT NULL DEFAULT 0,
  name VARCHAR(255) NOT NULL DEFAULT '',
  alias VARCHAR(255) NOT NULL DEFAULT '',
  description TEXT NULL,
  access INT NOT NULL DEFAULT 1,
  published TINYINT UNSIGNED NULL DEFAULT 0,
  paypal_email VARCHAR(255) NOT NULL DEFAULT '',
  notification_emails VARCHAR(255) NOT NULL DEFAULT ''
);
CREATE TABLE jos_eb_configs (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  config_key VARCHAR(100) NOT NULL DEFAULT '',
  config_value TEXT NULL
);
CREATE TABLE jos_eb_coupons (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  code VARCHAR(20) NOT NULL DEFAULT '',
  coupon_type TINYINT UNSIGNED NULL DEFAULT 0,
  discount DECIMAL(10,2) NULL DEFAULT 0,
  event_id INT NOT NULL DEFAULT 0,
  times INT NOT NULL DEFAULT 0,
  used INT NULL DEFAULT 0,
  valid_from DATETIME NULL,
  valid_to DATETIME NULL,
  published TINYINT UNSIGNED NULL DEFAULT 0
);
CREATE TABLE jos_eb_events (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  parent_id INT NOT NULL DEFAULT 0,
  main_category_id INT NOT NULL DEFAULT 0,
  location_id INT NOT NULL DEFAULT 0,
  title VARCHAR(255) NOT NULL DEFAULT '',
  alias VARCHAR(255) NOT NULL DEFAULT '',
  event_type TINYINT UNSIGNED NOT NULL DEFAULT 0,
  event_date DATETIME NOT NULL,
  event_end_date DATETIME NULL,
  description TEXT NULL,
  access INT NOT NULL DEFAULT 1,
  individual_price DECIMAL(10,2) NULL DEFAULT 0,
  tax_rate DECIMAL(10,2) NULL DEFAULT 0,
  event_capacity INT NULL DEFAULT 0,
  created_by INT NULL DEFAULT 0,
  cut_off_date DATETIME NULL,
  registration_type TINYINT UNSIGNED NULL DEFAULT 0,
  paypal_email VARCHAR(255) NOT NULL DEFAULT '',
  notification_emails VARCHAR(255) NOT NULL DEFAULT '',
  user_email_body TEXT NULL,
  thanks_message TEXT NULL,
  params TEXT NULL,
  ordering INT NULL DEFAULT 0,
  published INT NULL DEFAULT 0,
  from_name VARCHAR(100) NOT NULL DEFAULT '',
  from_email VARCHAR(150) NOT NULL DEFAULT '',
  hidden TINYINT NOT NULL DEFAULT 0,
  publish_up DATETIME NULL,
  publish_down DATETIME NULL,
  created_date DATETIME NULL,
  ticket_prefix VARCHAR(10) NOT NULL DEFAULT '',
  invoice_format TEXT NULL,
  event_password VARCHAR(255) NOT NULL DEFAULT '' COMMENT 'secret',
  payment_methods VARCHAR(255) NOT NULL DEFAULT '',
  currency_code VARCHAR(10) NOT NULL DEFAULT '',
  currency_symbol VARCHAR(20) NOT NULL DEFAULT '',
  language VARCHAR(50) NULL DEFAULT '*',
  hits INT NOT NULL DEFAULT 0,
  KEY idx_main_category_id (main_category_id),
  KEY idx_published (published),
  KEY idx_event_date (event_date)
);
CREATE TABLE jos_eb_event_categories (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  event_id INT NULL DEFAULT 0,
  category_id INT NULL DEFAULT 0,
  main_category TINYINT NOT NULL DEFAULT 0,
  KEY idx_event_id (event_id)
);
CREATE TABLE jos_eb_fields (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  event_id INT NULL DEFAULT 0,
  name VARCHAR(50) NOT NULL DEFAULT '',
  title VARCHAR(255) NOT NULL DEFAULT '',
  field_type INT NULL DEFAULT 0,
  required TINYINT UNSIGNED NULL DEFAULT 0,
  published TINYINT UNSIGNED NULL DEFAULT 0,
  is_core TINYINT NOT NULL DEFAULT 0
);
CREATE TABLE jos_eb_field_values (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  registrant_id INT NULL DEFAULT 0,
  field_id INT NULL DEFAULT 0,
  field_value TEXT NULL COMMENT 'secret',
  KEY idx_registrant_id (registrant_id),
  KEY idx_field_id (field_id)
);
CREATE TABLE jos_eb_locations (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(255) NOT NULL DEFAULT '',
  address VARCHAR(255) NOT NULL DEFAULT '',
  city VARCHAR(100) NOT NULL DEFAULT '',
  country VARCHAR(100) NOT NULL DEFAULT '',
  lat DECIMAL(10,6) NULL DEFAULT 0,
  published TINYINT UNSIGNED NULL
);
CREATE TABLE jos_eb_messages (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  message_key VARCHAR(50) NOT NULL DEFAULT '',
  message TEXT NULL
);
CREATE TABLE jos_eb_emails (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  email_type VARCHAR(50) NOT NULL DEFAULT '',
  sent_at DATETIME NULL,
  sent_to TINYINT NOT NULL DEFAULT 0,
  email VARCHAR(100) NULL,
  subject VARCHAR(255) NOT NULL DEFAULT '',
  body TEXT NULL
);
CREATE TABLE jos_eb_payment_plugins (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(100) NOT NULL DEFAULT '',
  title VARCHAR(100) NOT NULL DEFAULT '',
  version VARCHAR(20) NOT NULL DEFAULT '',
  params TEXT NULL COMMENT 'secret',
  ordering INT NULL DEFAULT 0,
  published TINYINT UNSIGNED NULL DEFAULT 0
);
CREATE TABLE jos_eb_registrants (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  event_id INT NULL DEFAULT 0,
  user_id INT NULL DEFAULT 0,
  group_id INT NULL DEFAULT 0,
  first_name VARCHAR(50) NOT NULL DEFAULT '',
  last_name VARCHAR(50) NOT NULL DEFAULT '',
  organization VARCHAR(100) NOT NULL DEFAULT '',
  address VARCHAR(255) NOT NULL DEFAULT '' COMMENT 'secret',
  address2 VARCHAR(255) NOT NULL DEFAULT '' COMMENT 'secret',
  city VARCHAR(50) NOT NULL DEFAULT '' COMMENT 'secret',
  state VARCHAR(50) NOT NULL DEFAULT '',
  country VARCHAR(50) NOT NULL DEFAULT '',
  zip VARCHAR(15) NOT NULL DEFAULT '' COMMENT 'secret',
  phone VARCHAR(30) NOT NULL DEFAULT '' COMMENT 'secret',
  fax VARCHAR(50) NOT NULL DEFAULT '' COMMENT 'secret',
  email VARCHAR(100) NOT NULL DEFAULT '',
  number_registrants INT NULL DEFAULT 0,
  total_amount DECIMAL(10,2) NULL DEFAULT 0,
  discount_amount DECIMAL(10,2) NULL DEFAULT 0,
  amount DECIMAL(10,2) NULL DEFAULT 0,
  register_date DATETIME NOT NULL,
  payment_date DATETIME NULL,
  registration_cancel_date DATETIME NULL,
  payment_method VARCHAR(50) NOT NULL DEFAULT '',
  transaction_id VARCHAR(50) NOT NULL DEFAULT '' COMMENT 'secret',
  comment TEXT NULL COMMENT 'secret',
  published TINYINT UNSIGNED NULL DEFAULT 0,
  cart_id INT NOT NULL DEFAULT 0,
  invoice_year INT NOT NULL DEFAULT 0,
  checked_in_at DATETIME NULL,
  checked_out_at DATETIME NULL,
  subscribe_newsletter TINYINT NOT NULL DEFAULT 1,
  agree_privacy_policy TINYINT NOT NULL DEFAULT 1,
  payment_amount DECIMAL(10,6) NULL DEFAULT 0,
  payment_currency VARCHAR(15) NOT NULL DEFAULT '',
  payment_processing_fee DECIMAL(10,6) NULL DEFAULT 0,
  coupon_discount_amount DECIMAL(10,6) NULL DEFAULT 0,
  late_fee DECIMAL(10,6) NULL DEFAULT 0,
  checked_in TINYINT NOT NULL DEFAULT 0,
  checked_in_count TINYINT NOT NULL DEFAULT 0,
  deposit_amount DECIMAL(10,2) NULL DEFAULT 0,
  payment_status TINYINT NOT NULL DEFAULT 1,
  coupon_id INT NOT NULL DEFAULT 0,
  tax_amount DECIMAL(10,2) NULL DEFAULT 0,
  tax_rate DECIMAL(10,2) NULL DEFAULT 0,
  registration_code VARCHAR(15) NOT NULL DEFAULT '' COMMENT 'secret',
  params TEXT NULL,
  is_reminder_sent TINYINT NOT NULL DEFAULT 0,
  deposit_payment_transaction_id VARCHAR(100) NOT NULL DEFAULT '' COMMENT 'secret',
  refunded TINYINT NOT NULL DEFAULT 0,
  user_ip VARCHAR(100) NOT NULL DEFAULT '' COMMENT 'secret',
  is_group_billing TINYINT NOT NULL DEFAULT 0,
  language VARCHAR(50) NULL DEFAULT '*',
  ticket_number INT NOT NULL DEFAULT 0,
  ticket_code VARCHAR(40) NOT NULL DEFAULT '' COMMENT 'secret',
  ticket_qrcode VARCHAR(40) NOT NULL DEFAULT '' COMMENT 'secret',
  invoice_number INT NOT NULL DEFAULT 0,
  formatted_invoice_number VARCHAR(255) NOT NULL DEFAULT '',
  created_by INT NULL DEFAULT 0,
  KEY idx_event_id (event_id),
  KEY idx_published (published),
  KEY idx_email (email),
  KEY idx_transaction_id (transaction_id)
);
CREATE TABLE jos_eb_registrant_tickets (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  registrant_id INT NULL DEFAULT 0,
  ticket_type_id INT NULL DEFAULT 0,
  quantity INT NULL DEFAULT 0
);
CREATE TABLE jos_eb_ticket_types (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  event_id INT NULL DEFAULT 0,
  title VARCHAR(255) NOT NULL DEFAULT '',
  price DECIMAL(10,2) NULL DEFAULT 0,
  capacity INT NULL DEFAULT 0,
  ordering INT NULL DEFAULT 0
);
CREATE TABLE jos_eb_speakers (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  event_id INT UNSIGNED NULL DEFAULT 0,
  name VARCHAR(255) NOT NULL DEFAULT '',
  title VARCHAR(255) NOT NULL DEFAULT '',
  avatar VARCHAR(255) NOT NULL DEFAULT '',
  url VARCHAR(255) NOT NULL DEFAULT ''
);
CREATE TABLE jos_eb_urls (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  md5_key VARCHAR(32) NOT NULL DEFAULT '',
  query TEXT NULL,
  record_id INT NOT NULL DEFAULT 0,
  KEY idx_md5_key (md5_key)
);
INSERT INTO jos_users (id, name, username, email, password, registerDate, params) VALUES (42, 'Ada Ames', 'ada', 'ada@example.com', 'x', '2026-01-01', '{}'), (43, 'Bo Brun', 'bo', 'bo@example.com', 'x', '2026-01-02', '{}');
INSERT INTO jos_usergroups (id, parent_id, title) VALUES (1, 0, 'Public'), (2, 1, 'Registered'), (8, 1, 'Super Users');
INSERT INTO jos_user_usergroup_map (user_id, group_id) VALUES (42, 8), (43, 2);
INSERT INTO jos_content (title, introtext, state, created, created_by, modified) VALUES ('Welcome', '', 1, '2026-01-01', 42, '2026-01-03'), ('About', '', 0, '2026-01-02', 42, '2026-01-02');
INSERT INTO jos_eb_categories (id, name, published) VALUES (1, 'Talks', 1), (2, 'Walks', 1);
INSERT INTO jos_eb_configs (config_key, config_value) VALUES ('currency_code', 'EUR'), ('currency_symbol', '€'), ('invoice_prefix', 'IV'), ('invoice_number_length', '5'), ('activate_invoice_feature', '1'), ('date_format', 'm-d-Y');
INSERT INTO jos_eb_events (id, main_category_id, location_id, title, event_date, event_end_date, individual_price, event_capacity, created_by, published, currency_code, created_date) VALUES
  (1, 1, 1, 'Stars', '2026-06-01 18:00:00', '2026-06-01 20:00:00', 25, 50, 42, 1, '', '2026-01-02 10:00:00'),
  (2, 2, 1, 'Woods', '2026-06-08 10:00:00', '2026-06-08 12:00:00', 10, 20, 42, 1, '', '2026-01-03 10:00:00'),
  (3, 1, 1, 'Rivers', '2026-07-01 18:00:00', NULL, 0, 0, 42, 0, 'USD', '2026-01-04 10:00:00');
INSERT INTO jos_eb_event_categories (event_id, category_id, main_category) VALUES (1, 1, 1), (2, 2, 1), (3, 1, 1);
INSERT INTO jos_eb_locations (id, name, address, city, country, published) VALUES (1, 'Town Hall', 'Main Street 1', 'Kiel', 'Germany', 1);
INSERT INTO jos_eb_fields (id, name, title, required, published, is_core) VALUES (1, 'first_name', 'First Name', 1, 1, 1), (2, 'eb_diet', 'Diet', 0, 1, 0);
INSERT INTO jos_eb_registrants (event_id, user_id, first_name, last_name, email, number_registrants, total_amount, discount_amount, tax_amount, amount, register_date, payment_date, registration_cancel_date, payment_method, transaction_id, published, payment_status, invoice_year, invoice_number, formatted_invoice_number, checked_in, checked_in_count, checked_in_at, registration_code, ticket_code)
  WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 40)
  SELECT 1 + i % 3, IF(i % 4 = 0, 43, 0), 'Kim', CONCAT('Doe', i), CONCAT('kim', i, '@example.com'), 1, 25, 5, 3.8, 23.8, '2026-02-01' + INTERVAL i HOUR,
    IF(i % 4 IN (1, 2), '2026-02-03' + INTERVAL i HOUR, NULL), IF(i % 4 = 2, '2026-02-20' + INTERVAL i HOUR, NULL), IF(i % 2 = 0, 'os_offline', 'os_paypal'), CONCAT('T', i), i % 4, IF(i % 8 = 1, 0, 1),
    2026, IF(i % 4 = 3, 0, i), IF(i % 4 = 3, '', CONCAT('IV', LPAD(i, 5, '0'))), i % 8 = 1, i % 8 = 1, IF(i % 8 = 1, '2026-06-01 17:45:00', NULL), CONCAT('C', i), CONCAT('K', i) FROM n;
INSERT INTO jos_eb_field_values (registrant_id, field_id, field_value) SELECT id, 2, 'none' FROM jos_eb_registrants WHERE event_id = 1;
INSERT INTO jos_eb_ticket_types (id, event_id, title, price, capacity) VALUES (1, 1, 'Adult', 25, 40), (2, 1, 'Child', 10, 10);
INSERT INTO jos_eb_registrant_tickets (registrant_id, ticket_type_id, quantity) SELECT id, 1, 1 FROM jos_eb_registrants WHERE event_id = 1;
INSERT INTO jos_eb_payment_plugins (name, title, params, published) VALUES ('os_paypal', 'PayPal', '{}', 1), ('os_offline', 'Offline Payment', '{}', 1);
INSERT INTO jos_eb_emails (email_type, sent_at, email, subject, body) SELECT 'new_registration_emails', register_date, email, 'Registration', '' FROM jos_eb_registrants;
INSERT INTO jos_eb_coupons (code, discount, published) VALUES ('SPRING', 5, 1);
