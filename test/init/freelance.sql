-- An invoicing product for one company, written with CodeIgniter: each column repeats the name of its table, amounts stand in a
-- table beside the invoices, quotes look like invoices, settings are keys and values. It has no registrations and no tenant.
CREATE TABLE ip_clients (
  client_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  client_date_created DATETIME NOT NULL,
  client_date_modified DATETIME NOT NULL,
  client_name TEXT NULL,
  client_company VARCHAR(150) NULL,
  client_address_1 TEXT NULL COMMENT 'secret',
  client_address_2 TEXT NULL COMMENT 'secret',
  client_city TEXT NULL COMMENT 'secret',
  client_state TEXT NULL,
  client_zip TEXT NULL COMMENT 'secret',
  client_country TEXT NULL,
  client_phone TEXT NULL COMMENT 'secret',
  client_fax TEXT NULL COMMENT 'secret',
  client_mobile TEXT NULL COMMENT 'secret',
  client_email TEXT NULL,
  client_web TEXT NULL,
  client_vat_id TEXT NULL COMMENT 'secret',
  client_tax_code TEXT NULL COMMENT 'secret',
  client_language VARCHAR(255) NULL DEFAULT 'system',
  client_active INT NOT NULL DEFAULT 1,
  client_surname VARCHAR(255) NULL,
  client_invoicing_contact VARCHAR(50) NULL,
  client_title VARCHAR(50) NULL,
  client_einvoicing_active TINYINT(1) NOT NULL DEFAULT 0,
  client_einvoicing_version VARCHAR(25) NULL,
  client_avs VARCHAR(16) NULL COMMENT 'secret',
  client_insurednumber VARCHAR(30) NULL COMMENT 'secret',
  client_birthdate DATE NULL COMMENT 'secret',
  client_gender INT NULL DEFAULT 0,
  KEY client_active (client_active)
);
CREATE TABLE ip_client_custom (
  client_custom_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  client_id INT NOT NULL,
  client_custom_fieldid INT NOT NULL,
  client_custom_fieldvalue TEXT NULL,
  UNIQUE KEY client_id (client_id, client_custom_fieldid)
);
CREATE TABLE ip_client_notes (
  client_note_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  client_id INT NOT NULL,
  client_note_date DATE NOT NULL,
  client_note LONGTEXT NOT NULL COMMENT 'secret',
  KEY client_id (client_id, client_note_date)
);
CREATE TABLE ip_custom_fields (
  custom_field_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  custom_field_table VARCHAR(50) NULL,
  custom_field_label VARCHAR(50) NULL,
  custom_field_type VARCHAR(255) NOT NULL,
  custom_field_location INT NULL DEFAULT 0,
  custom_field_order INT NULL DEFAULT 999
);
CREATE TABLE ip_custom_values (
  custom_values_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  custom_values_field INT NOT NULL,
  custom_values_value TEXT NOT NULL
);
CREATE TABLE ip_email_templates (
  email_template_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  email_template_title TEXT NULL,
  email_template_type VARCHAR(255) NULL,
  email_template_body LONGTEXT NOT NULL,
  email_template_subject TEXT NULL,
  email_template_from_name TEXT NULL,
  email_template_from_email TEXT NULL
);
CREATE TABLE ip_families (
  family_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  family_name TEXT NULL
);
CREATE TABLE ip_units (
  unit_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  unit_name VARCHAR(50) NULL,
  unit_name_plrl VARCHAR(50) NULL
);
CREATE TABLE ip_products (
  product_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  family_id INT NULL,
  product_sku TEXT NULL,
  product_name TEXT NULL,
  product_description LONGTEXT NOT NULL,
  product_price DECIMAL(20,2) NULL,
  purchase_price DECIMAL(20,2) NULL,
  tax_rate_id INT NULL,
  unit_id INT NULL
);
CREATE TABLE ip_tax_rates (
  tax_rate_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  tax_rate_name TEXT NULL,
  tax_rate_percent DECIMAL(5,2) NOT NULL
);
CREATE TABLE ip_invoice_groups (
  invoice_group_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  invoice_group_name TEXT NULL,
  invoice_group_identifier_format VARCHAR(255) NOT NULL,
  invoice_group_next_id INT NOT NULL,
  invoice_group_left_pad INT NOT NULL DEFAULT 0
);
CREATE TABLE ip_invoices (
  invoice_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id INT NOT NULL,
  client_id INT NOT NULL,
  invoice_group_id INT NOT NULL,
  invoice_status_id TINYINT NOT NULL DEFAULT 1,
  is_read_only TINYINT(1) NULL,
  invoice_password VARCHAR(90) NULL COMMENT 'secret',
  invoice_date_created DATE NOT NULL,
  invoice_time_created TIME NOT NULL DEFAULT '00:00:00',
  invoice_date_modified DATETIME NOT NULL,
  invoice_date_due DATE NOT NULL,
  invoice_number VARCHAR(100) NULL,
  invoice_discount_amount DECIMAL(20,2) NULL,
  invoice_discount_percent DECIMAL(20,2) NULL,
  invoice_terms LONGTEXT NOT NULL,
  invoice_url_key CHAR(32) NOT NULL COMMENT 'secret',
  payment_method INT NOT NULL DEFAULT 0,
  creditinvoice_parent_id INT NULL,
  UNIQUE KEY invoice_url_key (invoice_url_key),
  KEY user_id (user_id, client_id, invoice_group_id, invoice_date_created, invoice_date_due, invoice_number),
  KEY invoice_status_id (invoice_status_id)
);
CREATE TABLE ip_invoice_amounts (
  invoice_amount_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  invoice_id INT NOT NULL,
  invoice_sign ENUM('1', '-1') NOT NULL DEFAULT '1',
  invoice_item_subtotal DECIMAL(20,2) NULL,
  invoice_item_tax_total DECIMAL(20,2) NULL,
  invoice_tax_total DECIMAL(20,2) NULL,
  invoice_total DECIMAL(20,2) NULL,
  invoice_paid DECIMAL(20,2) NULL,
  invoice_balance DECIMAL(20,2) NULL,
  KEY invoice_id (invoice_id),
  KEY invoice_paid (invoice_paid, invoice_balance)
);
CREATE TABLE ip_invoice_custom (
  invoice_custom_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  invoice_id INT NOT NULL,
  invoice_custom_fieldid INT NOT NULL,
  invoice_custom_fieldvalue TEXT NULL,
  UNIQUE KEY invoice_id (invoice_id, invoice_custom_fieldid)
);
CREATE TABLE ip_invoice_items (
  item_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  invoice_id INT NOT NULL,
  item_tax_rate_id INT NOT NULL DEFAULT 0,
  item_product_id INT NULL,
  item_date_added DATE NOT NULL,
  item_task_id INT NULL,
  item_name TEXT NULL,
  item_description LONGTEXT NULL,
  item_quantity DECIMAL(20,8) NULL,
  item_price DECIMAL(20,2) NULL,
  item_discount_amount DECIMAL(20,2) NULL,
  item_order INT NOT NULL DEFAULT 0,
  item_is_recurring TINYINT(1) NULL,
  KEY invoice_id (invoice_id, item_tax_rate_id, item_date_added, item_order)
);
CREATE TABLE ip_invoice_item_amounts (
  item_amount_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  item_id INT NOT NULL,
  item_subtotal DECIMAL(20,2) NULL,
  item_tax_total DECIMAL(20,2) NULL,
  item_discount DECIMAL(20,2) NULL,
  item_total DECIMAL(20,2) NULL,
  KEY item_id (item_id)
);
CREATE TABLE ip_invoice_tax_rates (
  invoice_tax_rate_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  invoice_id INT NOT NULL,
  tax_rate_id INT NOT NULL,
  include_item_tax INT NOT NULL DEFAULT 0,
  invoice_tax_rate_amount DECIMAL(10,2) NOT NULL DEFAULT 0,
  KEY invoice_id (invoice_id, tax_rate_id)
);
CREATE TABLE ip_invoices_recurring (
  invoice_recurring_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  invoice_id INT NOT NULL,
  recur_start_date DATE NOT NULL,
  recur_end_date DATE NULL,
  recur_frequency VARCHAR(255) NOT NULL,
  recur_next_date DATE NULL,
  KEY invoice_id (invoice_id)
);
CREATE TABLE ip_quotes (
  quote_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  invoice_id INT NOT NULL DEFAULT 0,
  user_id INT NOT NULL,
  client_id INT NOT NULL,
  invoice_group_id INT NOT NULL,
  quote_status_id TINYINT NOT NULL DEFAULT 1,
  quote_date_created DATE NOT NULL,
  quote_date_modified DATETIME NOT NULL,
  quote_date_expires DATE NOT NULL,
  quote_number VARCHAR(100) NULL,
  quote_discount_amount DECIMAL(20,2) NULL,
  quote_url_key CHAR(32) NOT NULL COMMENT 'secret',
  quote_password VARCHAR(90) NULL COMMENT 'secret',
  notes LONGTEXT NULL,
  KEY invoice_id (invoice_id)
);
CREATE TABLE ip_quote_amounts (
  quote_amount_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  quote_id INT NOT NULL,
  quote_item_subtotal DECIMAL(20,2) NULL,
  quote_item_tax_total DECIMAL(20,2) NULL,
  quote_tax_total DECIMAL(20,2) NULL,
  quote_total DECIMAL(20,2) NULL,
  KEY quote_id (quote_id)
);
CREATE TABLE ip_payment_methods (
  payment_method_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  payment_method_name TEXT NULL
);
CREATE TABLE ip_payments (
  payment_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  invoice_id INT NOT NULL,
  payment_method_id INT NOT NULL DEFAULT 0,
  payment_date DATE NOT NULL,
  payment_amount DECIMAL(20,2) NULL,
  payment_note LONGTEXT NOT NULL,
  KEY invoice_id (invoice_id),
  KEY payment_method_id (payment_method_id)
);
CREATE TABLE ip_merchant_responses (
  merchant_response_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  invoice_id INT NOT NULL,
  merchant_response_successful TINYINT(1) NULL DEFAULT 1,
  merchant_response_date DATE NOT NULL,
  merchant_response_driver VARCHAR(35) NOT NULL,
  merchant_response VARCHAR(255) NOT NULL,
  merchant_response_reference VARCHAR(255) NOT NULL COMMENT 'secret',
  KEY invoice_id (invoice_id)
);
CREATE TABLE ip_projects (
  project_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  client_id INT NOT NULL,
  project_name TEXT NULL
);
CREATE TABLE ip_tasks (
  task_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  project_id INT NOT NULL,
  task_name TEXT NULL,
  task_description LONGTEXT NOT NULL,
  task_price DECIMAL(20,2) NULL,
  task_finish_date DATE NOT NULL,
  task_status TINYINT(1) NOT NULL,
  tax_rate_id INT NOT NULL
);
CREATE TABLE ip_sessions (
  id VARCHAR(128) NOT NULL COMMENT 'secret',
  ip_address VARCHAR(45) NOT NULL COMMENT 'secret',
  timestamp INT UNSIGNED NOT NULL DEFAULT 0,
  data BLOB NOT NULL COMMENT 'secret',
  KEY ip_sessions_timestamp (timestamp)
);
CREATE TABLE ip_settings (
  setting_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  setting_key VARCHAR(50) NOT NULL,
  setting_value LONGTEXT NOT NULL COMMENT 'secret',
  KEY setting_key (setting_key)
);
CREATE TABLE ip_uploads (
  upload_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  client_id INT NOT NULL,
  url_key CHAR(32) NOT NULL COMMENT 'secret',
  file_name_original LONGTEXT NOT NULL,
  file_name_new LONGTEXT NOT NULL,
  uploaded_date DATE NOT NULL
);
CREATE TABLE ip_users (
  user_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_type INT NOT NULL DEFAULT 0,
  user_active TINYINT(1) NULL DEFAULT 1,
  user_date_created DATETIME NOT NULL,
  user_date_modified DATETIME NOT NULL,
  user_language VARCHAR(255) NULL DEFAULT 'system',
  user_name TEXT NULL,
  user_company TEXT NULL,
  user_address_1 TEXT NULL COMMENT 'secret',
  user_city TEXT NULL COMMENT 'secret',
  user_zip TEXT NULL COMMENT 'secret',
  user_phone TEXT NULL COMMENT 'secret',
  user_fax TEXT NULL COMMENT 'secret',
  user_mobile TEXT NULL COMMENT 'secret',
  user_email TEXT NULL,
  user_password VARCHAR(60) NOT NULL COMMENT 'secret',
  user_vat_id TEXT NULL COMMENT 'secret',
  user_tax_code TEXT NULL COMMENT 'secret',
  user_psalt TEXT NULL COMMENT 'secret',
  user_all_clients INT NOT NULL DEFAULT 0,
  user_passwordreset_token VARCHAR(100) NULL DEFAULT '' COMMENT 'secret',
  user_subscribernumber VARCHAR(40) NULL,
  user_bank VARCHAR(100) NULL,
  user_iban VARCHAR(34) NULL COMMENT 'secret',
  user_bic VARCHAR(11) NULL COMMENT 'secret'
);
CREATE TABLE ip_user_clients (
  user_client_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id INT NOT NULL,
  client_id INT NOT NULL,
  KEY user_id (user_id, client_id)
);
CREATE TABLE ip_versions (
  version_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  version_date_applied VARCHAR(14) NOT NULL,
  version_file VARCHAR(45) NOT NULL,
  version_sql_errors INT NOT NULL
);
INSERT INTO ip_users (user_id, user_type, user_date_created, user_date_modified, user_name, user_email, user_password) VALUES
  (1, 1, '2025-11-01 09:00:00', '2025-11-01 09:00:00', 'Ada Ames', 'ada@example.com', 'x');
INSERT INTO ip_clients (client_date_created, client_date_modified, client_name, client_surname, client_email)
  WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 24)
  SELECT '2025-11-02 09:00:00', '2025-11-02 09:00:00', CONCAT('Client ', i), 'Doe', CONCAT('client', i, '@example.com') FROM n;
INSERT INTO ip_invoice_groups (invoice_group_id, invoice_group_name, invoice_group_identifier_format, invoice_group_next_id) VALUES (3, 'Invoice Default', '{{{id}}}', 37), (4, 'Quote Default', 'QUO{{{id}}}', 25);
INSERT INTO ip_tax_rates (tax_rate_id, tax_rate_name, tax_rate_percent) VALUES (1, 'VAT', 20), (2, 'Reduced', 5);
INSERT INTO ip_payment_methods (payment_method_id, payment_method_name) VALUES (1, 'Cash'), (2, 'Credit Card');
INSERT INTO ip_products (product_name, product_description, product_price) VALUES ('Day', 'A day of work', 400), ('Hour', 'An hour of work', 60);
INSERT INTO ip_invoices (user_id, client_id, invoice_group_id, invoice_status_id, is_read_only, invoice_date_created, invoice_time_created, invoice_date_modified, invoice_date_due, invoice_number, invoice_terms, invoice_url_key, payment_method)
  WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 36)
  SELECT 1, 1 + i % 24, 3, 1 + i % 4, i % 4 > 0, '2026-01-05' + INTERVAL i DAY, '10:00:00', '2026-01-06 08:00:00' + INTERVAL i DAY, '2026-02-04' + INTERVAL i DAY, i, '', CONCAT('u', i), i % 3 FROM n;
UPDATE ip_invoices SET creditinvoice_parent_id = 5 WHERE invoice_id = 36;
INSERT INTO ip_invoice_amounts (invoice_id, invoice_sign, invoice_item_subtotal, invoice_item_tax_total, invoice_tax_total, invoice_total, invoice_paid, invoice_balance)
  SELECT invoice_id, IF(creditinvoice_parent_id IS NULL, '1', '-1'), 100, 20, 0, 120, IF(invoice_status_id = 4, 120, 0), IF(invoice_status_id = 4, 0, 120) FROM ip_invoices;
INSERT INTO ip_invoice_items (invoice_id, item_tax_rate_id, item_product_id, item_date_added, item_name, item_quantity, item_price) SELECT invoice_id, 1, 1, invoice_date_created, 'Day', 0.25, 400 FROM ip_invoices;
INSERT INTO ip_invoice_item_amounts (item_id, item_subtotal, item_tax_total, item_discount, item_total) SELECT item_id, 100, 20, 0, 120 FROM ip_invoice_items;
INSERT INTO ip_quotes (invoice_id, user_id, client_id, invoice_group_id, quote_status_id, quote_date_created, quote_date_modified, quote_date_expires, quote_number, quote_url_key)
  WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 24)
  SELECT 0, 1, i, 4, 1 + i % 6, '2025-12-01' + INTERVAL i DAY, '2025-12-02 08:00:00' + INTERVAL i DAY, '2025-12-16' + INTERVAL i DAY, CONCAT('QUO', i), CONCAT('q', i) FROM n;
INSERT INTO ip_quote_amounts (quote_id, quote_item_subtotal, quote_item_tax_total, quote_tax_total, quote_total) SELECT quote_id, 100, 20, 0, 120 FROM ip_quotes;
INSERT INTO ip_payments (invoice_id, payment_method_id, payment_date, payment_amount, payment_note) SELECT invoice_id, 2, invoice_date_due, 120, '' FROM ip_invoices WHERE invoice_status_id = 4;
INSERT INTO ip_merchant_responses (invoice_id, merchant_response_date, merchant_response_driver, merchant_response, merchant_response_reference) SELECT invoice_id, payment_date, 'Stripe', 'ok', CONCAT('pi_', invoice_id) FROM ip_payments;
INSERT INTO ip_settings (setting_key, setting_value) VALUES ('default_language', 'english'), ('currency_symbol', '€'), ('currency_code', 'EUR'), ('currency_symbol_placement', 'before'), ('invoices_due_after', '30'), ('gateway_stripe_apiKey', 'x');
