-- A ticketing product, written with Laravel: the account owns events, and everything else belongs to an event.
-- Columns that no one outside may ever see: attendees.private_reference_number, orders.invoice_xml,
-- orders.business_*, and whatever else holds a person or a payment.
CREATE TABLE accounts (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  first_name VARCHAR(255) NOT NULL,
  last_name VARCHAR(255) NOT NULL,
  email VARCHAR(255) NOT NULL,
  stripe_secret_key VARCHAR(55) NULL,
  currency_id INT UNSIGNED NULL,
  last_ip VARCHAR(255) NULL,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL,
  deleted_at TIMESTAMP NULL
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
CREATE TABLE account_api_tokens (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id INT UNSIGNED NOT NULL,
  name VARCHAR(255) NOT NULL,
  token_digest CHAR(44) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  abilities TEXT NULL,
  last_used_at TIMESTAMP NULL,
  expires_at TIMESTAMP NULL,
  deleted_at TIMESTAMP NULL,
  UNIQUE KEY account_api_tokens_token_digest_unique (token_digest),
  KEY account_api_tokens_account_id_index (account_id)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
CREATE TABLE currencies (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  title VARCHAR(255) NOT NULL,
  symbol_left VARCHAR(12) NOT NULL,
  code VARCHAR(3) NOT NULL,
  decimal_place INT NOT NULL,
  `value` DOUBLE(15,8) NOT NULL,
  `status` TINYINT NOT NULL DEFAULT 0
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
CREATE TABLE order_statuses (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(255) NOT NULL
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
CREATE TABLE events (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  title VARCHAR(255) NOT NULL,
  location VARCHAR(255) NULL,
  bg_image_path VARCHAR(255) NULL,
  description TEXT NULL,
  start_date DATETIME NULL,
  end_date DATETIME NULL,
  account_id INT UNSIGNED NOT NULL,
  currency_id INT UNSIGNED NULL,
  organiser_fee_fixed DECIMAL(13,2) NOT NULL DEFAULT 0.00,
  event_access_code VARCHAR(255) NOT NULL DEFAULT '',
  is_live TINYINT(1) NOT NULL DEFAULT 0,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL,
  deleted_at TIMESTAMP NULL,
  KEY events_account_id_index (account_id),
  CONSTRAINT events_account_id_foreign FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
CREATE TABLE orders (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  event_id INT UNSIGNED NOT NULL,
  order_status_id INT UNSIGNED NOT NULL,
  first_name VARCHAR(255) NULL,
  last_name VARCHAR(255) NULL,
  email VARCHAR(255) NULL,
  business_name VARCHAR(255) NULL,
  business_tax_number VARCHAR(255) NULL,
  business_address_line_one VARCHAR(255) NULL,
  order_reference VARCHAR(15) NULL,
  transaction_id VARCHAR(50) NULL,
  payment_gateway_payload TEXT NULL,
  discount DECIMAL(8,2) NULL,
  amount DECIMAL(13,2) NOT NULL,
  booking_fee DECIMAL(8,2) NULL,
  organiser_booking_fee DECIMAL(8,2) NULL,
  taxamt DECIMAL(8,2) NOT NULL DEFAULT 0.00,
  amount_refunded DECIMAL(13,2) NULL,
  ticket_pdf_path VARCHAR(155) NULL,
  invoice_xml MEDIUMTEXT NULL,
  notes TEXT NULL,
  ip_address VARCHAR(45) NULL,
  is_invoiced TINYINT(1) NOT NULL DEFAULT 0,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL,
  deleted_at TIMESTAMP NULL,
  KEY orders_event_id_updated_at_index (event_id, updated_at),
  KEY orders_order_status_id_index (order_status_id),
  KEY orders_order_reference_index (order_reference)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
CREATE TABLE attendees (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_id INT UNSIGNED NOT NULL,
  event_id INT UNSIGNED NOT NULL,
  ticket_id INT UNSIGNED NOT NULL,
  reference_index INT NOT NULL DEFAULT 0,
  private_reference_number VARCHAR(40) NOT NULL,
  seat VARCHAR(255) NULL,
  is_cancelled TINYINT(1) NOT NULL DEFAULT 0,
  is_refunded TINYINT(1) NOT NULL DEFAULT 0,
  has_arrived TINYINT(1) NOT NULL DEFAULT 0,
  arrival_time DATETIME NULL,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL,
  deleted_at TIMESTAMP NULL,
  KEY attendees_event_id_updated_at_index (event_id, updated_at),
  KEY attendees_order_id_index (order_id),
  KEY attendees_private_reference_number_index (private_reference_number),
  CONSTRAINT attendees_event_id_foreign FOREIGN KEY (event_id) REFERENCES events (id) ON DELETE CASCADE
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
