-- A ticket shop for organisers, written with Laravel: accounts, attendees and orders with flags beside their statuses, soft deletes,
-- and no invoices of its own: an order is what is billed.
CREATE TABLE timezones (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(255) NOT NULL,
  location VARCHAR(255) NOT NULL
);
CREATE TABLE date_formats (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  format VARCHAR(255) NOT NULL,
  picker_format VARCHAR(255) NOT NULL,
  label VARCHAR(255) NOT NULL
);
CREATE TABLE currencies (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  title VARCHAR(255) NOT NULL,
  symbol_left VARCHAR(12) NOT NULL,
  symbol_right VARCHAR(12) NOT NULL,
  code VARCHAR(3) NOT NULL,
  decimal_place INT NOT NULL,
  value DOUBLE(15,8) NOT NULL,
  decimal_point VARCHAR(3) NOT NULL,
  thousand_point VARCHAR(3) NOT NULL,
  status INT NOT NULL,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL
);
CREATE TABLE order_statuses (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(255) NOT NULL
);
CREATE TABLE ticket_statuses (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name TEXT NOT NULL
);
CREATE TABLE payment_gateways (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  provider_name VARCHAR(50) NOT NULL,
  provider_url VARCHAR(255) NOT NULL,
  is_on_site TINYINT(1) NOT NULL,
  can_refund TINYINT(1) NOT NULL DEFAULT 0,
  name VARCHAR(50) NOT NULL
);
CREATE TABLE accounts (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  first_name VARCHAR(255) NOT NULL,
  last_name VARCHAR(255) NOT NULL,
  email VARCHAR(255) NOT NULL,
  timezone_id INT UNSIGNED NULL,
  date_format_id INT UNSIGNED NULL,
  currency_id INT UNSIGNED NULL,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL,
  deleted_at TIMESTAMP NULL,
  name VARCHAR(255) NULL,
  last_ip VARCHAR(255) NULL COMMENT 'secret',
  last_login_date TIMESTAMP NULL,
  address1 VARCHAR(255) NULL COMMENT 'secret',
  address2 VARCHAR(255) NULL COMMENT 'secret',
  city VARCHAR(255) NULL COMMENT 'secret',
  state VARCHAR(255) NULL,
  postal_code VARCHAR(255) NULL COMMENT 'secret',
  country_id INT UNSIGNED NULL,
  email_footer TEXT NULL,
  is_active TINYINT(1) NOT NULL DEFAULT 0,
  is_banned TINYINT(1) NOT NULL DEFAULT 0,
  stripe_access_token VARCHAR(55) NULL COMMENT 'secret',
  stripe_refresh_token VARCHAR(55) NULL COMMENT 'secret',
  stripe_secret_key VARCHAR(55) NULL COMMENT 'secret',
  stripe_publishable_key VARCHAR(55) NULL,
  stripe_data_raw TEXT NULL COMMENT 'secret',
  payment_gateway_id INT UNSIGNED NULL,
  CONSTRAINT accounts_timezone_id_foreign FOREIGN KEY (timezone_id) REFERENCES timezones (id),
  CONSTRAINT accounts_currency_id_foreign FOREIGN KEY (currency_id) REFERENCES currencies (id)
);
CREATE TABLE account_payment_gateways (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id INT UNSIGNED NOT NULL,
  payment_gateway_id INT UNSIGNED NOT NULL,
  config TEXT NOT NULL COMMENT 'secret',
  deleted_at TIMESTAMP NULL,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL,
  CONSTRAINT apg_account FOREIGN KEY (account_id) REFERENCES accounts (id),
  CONSTRAINT apg_gateway FOREIGN KEY (payment_gateway_id) REFERENCES payment_gateways (id)
);
CREATE TABLE users (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id INT UNSIGNED NOT NULL,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL,
  deleted_at TIMESTAMP NULL,
  first_name VARCHAR(255) NULL,
  last_name VARCHAR(255) NULL,
  phone VARCHAR(255) NULL COMMENT 'secret',
  email VARCHAR(255) NOT NULL,
  password VARCHAR(255) NOT NULL COMMENT 'secret',
  confirmation_code VARCHAR(255) NOT NULL COMMENT 'secret',
  is_registered TINYINT(1) NOT NULL DEFAULT 0,
  is_confirmed TINYINT(1) NOT NULL DEFAULT 0,
  is_parent TINYINT(1) NOT NULL DEFAULT 0,
  remember_token VARCHAR(100) NULL COMMENT 'secret',
  api_token VARCHAR(60) NULL COMMENT 'secret',
  UNIQUE KEY users_api_token_unique (api_token),
  CONSTRAINT users_account_id_foreign FOREIGN KEY (account_id) REFERENCES accounts (id)
);
CREATE TABLE password_resets (
  email VARCHAR(255) NOT NULL,
  token VARCHAR(255) NOT NULL COMMENT 'secret',
  created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  KEY password_resets_email_index (email)
);
CREATE TABLE organisers (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL,
  deleted_at TIMESTAMP NULL,
  account_id INT UNSIGNED NOT NULL,
  name VARCHAR(255) NOT NULL,
  about TEXT NOT NULL,
  email VARCHAR(255) NOT NULL,
  phone VARCHAR(255) NULL COMMENT 'secret',
  confirmation_key VARCHAR(20) NOT NULL COMMENT 'secret',
  facebook VARCHAR(255) NOT NULL DEFAULT '',
  logo_path VARCHAR(255) NULL,
  is_email_confirmed TINYINT(1) NOT NULL DEFAULT 0,
  charge_tax TINYINT(1) NOT NULL DEFAULT 0,
  tax_name VARCHAR(15) NOT NULL DEFAULT '',
  tax_value DECIMAL(5,2) NOT NULL DEFAULT 0,
  tax_id VARCHAR(100) NOT NULL DEFAULT '' COMMENT 'secret',
  CONSTRAINT organisers_account_id_foreign FOREIGN KEY (account_id) REFERENCES accounts (id)
);
CREATE TABLE events (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  title VARCHAR(255) NOT NULL,
  location VARCHAR(255) NULL,
  description TEXT NOT NULL,
  start_date DATETIME NULL,
  end_date DATETIME NULL,
  on_sale_date DATETIME NULL,
  account_id INT UNSIGNED NOT NULL,
  user_id INT UNSIGNED NOT NULL,
  currency_id INT UNSIGNED NULL,
  sales_volume DECIMAL(13,2) NOT NULL DEFAULT 0,
  organiser_fees_volume DECIMAL(13,2) NOT NULL DEFAULT 0,
  organiser_fee_fixed DECIMAL(13,2) NOT NULL DEFAULT 0,
  organiser_fee_percentage DECIMAL(4,3) NOT NULL DEFAULT 0,
  organiser_id INT UNSIGNED NOT NULL,
  venue_name VARCHAR(255) NOT NULL,
  pre_order_display_message TEXT NULL,
  is_live TINYINT(1) NOT NULL DEFAULT 0,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL,
  deleted_at TIMESTAMP NULL,
  barcode_type VARCHAR(20) NOT NULL DEFAULT 'QRCODE',
  enable_offline_payments TINYINT(1) NOT NULL DEFAULT 0,
  CONSTRAINT events_account_id_foreign FOREIGN KEY (account_id) REFERENCES accounts (id),
  CONSTRAINT events_user_id_foreign FOREIGN KEY (user_id) REFERENCES users (id),
  CONSTRAINT events_currency_id_foreign FOREIGN KEY (currency_id) REFERENCES currencies (id),
  CONSTRAINT events_organiser_id_foreign FOREIGN KEY (organiser_id) REFERENCES organisers (id)
);
CREATE TABLE orders (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id INT UNSIGNED NOT NULL,
  order_status_id INT UNSIGNED NOT NULL,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL,
  deleted_at TIMESTAMP NULL,
  first_name VARCHAR(255) NOT NULL,
  last_name VARCHAR(255) NOT NULL,
  email VARCHAR(255) NOT NULL,
  business_name VARCHAR(255) NULL,
  business_tax_number VARCHAR(255) NULL COMMENT 'secret',
  business_address_line_one VARCHAR(255) NULL COMMENT 'secret',
  business_address_line_two VARCHAR(255) NULL COMMENT 'secret',
  business_address_state_province VARCHAR(255) NULL COMMENT 'secret',
  business_address_city VARCHAR(255) NULL COMMENT 'secret',
  business_address_code VARCHAR(255) NULL COMMENT 'secret',
  ticket_pdf_path VARCHAR(155) NULL,
  order_reference VARCHAR(15) NOT NULL,
  transaction_id VARCHAR(50) NULL COMMENT 'secret',
  discount DECIMAL(8,2) NULL,
  booking_fee DECIMAL(8,2) NULL,
  organiser_booking_fee DECIMAL(8,2) NULL,
  order_date DATE NULL,
  notes TEXT NULL COMMENT 'secret',
  is_deleted TINYINT(1) NOT NULL DEFAULT 0,
  is_cancelled TINYINT(1) NOT NULL DEFAULT 0,
  is_partially_refunded TINYINT(1) NOT NULL DEFAULT 0,
  is_refunded TINYINT(1) NOT NULL DEFAULT 0,
  is_payment_received TINYINT(1) NOT NULL DEFAULT 0,
  is_business TINYINT(1) NOT NULL DEFAULT 0,
  amount DECIMAL(13,2) NOT NULL,
  amount_refunded DECIMAL(13,2) NULL,
  taxamt DOUBLE(8,2) NULL,
  event_id INT UNSIGNED NOT NULL,
  payment_gateway_id INT UNSIGNED NULL,
  CONSTRAINT orders_account_id_foreign FOREIGN KEY (account_id) REFERENCES accounts (id),
  CONSTRAINT orders_event_id_foreign FOREIGN KEY (event_id) REFERENCES events (id),
  CONSTRAINT orders_order_status_id_foreign FOREIGN KEY (order_status_id) REFERENCES order_statuses (id),
  CONSTRAINT orders_payment_gateway_id_foreign FOREIGN KEY (payment_gateway_id) REFERENCES payment_gateways (id)
);
CREATE TABLE tickets (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL,
  deleted_at TIMESTAMP NULL,
  edited_by_user_id INT UNSIGNED NULL,
  account_id INT UNSIGNED NOT NULL,
  order_id INT UNSIGNED NULL,
  event_id INT UNSIGNED NOT NULL,
  title VARCHAR(255) NOT NULL,
  description TEXT NOT NULL,
  price DECIMAL(13,2) NOT NULL,
  max_per_person INT NULL,
  quantity_available INT NULL,
  quantity_sold INT NOT NULL DEFAULT 0,
  is_paused TINYINT NOT NULL DEFAULT 0,
  is_hidden TINYINT(1) NOT NULL DEFAULT 0,
  user_id INT UNSIGNED NOT NULL,
  CONSTRAINT tickets_account_id_foreign FOREIGN KEY (account_id) REFERENCES accounts (id),
  CONSTRAINT tickets_event_id_foreign FOREIGN KEY (event_id) REFERENCES events (id)
);
CREATE TABLE order_items (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  title VARCHAR(255) NOT NULL,
  quantity INT NOT NULL,
  unit_price DECIMAL(13,2) NOT NULL,
  unit_booking_fee DECIMAL(13,2) NULL,
  order_id INT UNSIGNED NOT NULL,
  deleted_at TIMESTAMP NULL,
  CONSTRAINT order_items_order_id_foreign FOREIGN KEY (order_id) REFERENCES orders (id)
);
CREATE TABLE ticket_order (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_id INT UNSIGNED NOT NULL,
  ticket_id INT UNSIGNED NOT NULL
);
CREATE TABLE reserved_tickets (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  ticket_id INT NOT NULL,
  event_id INT NOT NULL,
  quantity_reserved INT NOT NULL,
  expires DATETIME NOT NULL,
  session_id VARCHAR(45) NOT NULL COMMENT 'secret',
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL
);
CREATE TABLE attendees (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_id INT UNSIGNED NOT NULL,
  event_id INT UNSIGNED NOT NULL,
  ticket_id INT UNSIGNED NOT NULL,
  first_name VARCHAR(255) NOT NULL,
  last_name VARCHAR(255) NOT NULL,
  email VARCHAR(255) NOT NULL,
  reference_index INT NOT NULL DEFAULT 0,
  private_reference_number VARCHAR(15) NOT NULL COMMENT 'secret',
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL,
  deleted_at TIMESTAMP NULL,
  is_cancelled TINYINT(1) NOT NULL DEFAULT 0,
  is_refunded TINYINT(1) NOT NULL DEFAULT 0,
  has_arrived TINYINT(1) NOT NULL DEFAULT 0,
  arrival_time DATETIME NULL,
  account_id INT UNSIGNED NOT NULL,
  KEY attendees_private_reference_number_index (private_reference_number),
  CONSTRAINT attendees_account_id_foreign FOREIGN KEY (account_id) REFERENCES accounts (id),
  CONSTRAINT attendees_event_id_foreign FOREIGN KEY (event_id) REFERENCES events (id),
  CONSTRAINT attendees_ticket_id_foreign FOREIGN KEY (ticket_id) REFERENCES tickets (id),
  CONSTRAINT attendees_order_id_foreign FOREIGN KEY (order_id) REFERENCES orders (id)
);
CREATE TABLE questions (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  title VARCHAR(255) NOT NULL,
  question_type_id INT UNSIGNED NOT NULL,
  account_id INT UNSIGNED NOT NULL,
  is_required TINYINT NOT NULL DEFAULT 0,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL,
  deleted_at TIMESTAMP NULL
);
CREATE TABLE question_answers (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  attendee_id INT UNSIGNED NOT NULL,
  event_id INT UNSIGNED NOT NULL,
  question_id INT UNSIGNED NOT NULL,
  account_id INT UNSIGNED NOT NULL,
  answer_text TEXT NOT NULL COMMENT 'secret',
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL,
  deleted_at TIMESTAMP NULL,
  CONSTRAINT question_answers_attendee_id_foreign FOREIGN KEY (attendee_id) REFERENCES attendees (id)
);
CREATE TABLE messages (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  message TEXT NOT NULL,
  subject VARCHAR(255) NOT NULL,
  recipients VARCHAR(255) NULL,
  account_id INT UNSIGNED NOT NULL,
  user_id INT UNSIGNED NOT NULL,
  event_id INT UNSIGNED NOT NULL,
  is_sent INT UNSIGNED NOT NULL DEFAULT 0,
  sent_at DATETIME NULL,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL
);
CREATE TABLE event_stats (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  date DATE NOT NULL,
  views INT NOT NULL DEFAULT 0,
  tickets_sold INT NOT NULL DEFAULT 0,
  sales_volume DECIMAL(13,2) NOT NULL DEFAULT 0,
  event_id INT UNSIGNED NOT NULL
);
CREATE TABLE event_access_codes (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  event_id INT UNSIGNED NOT NULL,
  code VARCHAR(255) NOT NULL COMMENT 'secret',
  usage_count INT UNSIGNED NOT NULL DEFAULT 0,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL,
  deleted_at TIMESTAMP NULL
);
CREATE TABLE affiliates (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(125) NOT NULL,
  visits INT NOT NULL,
  tickets_sold INT NOT NULL DEFAULT 0,
  event_id INT UNSIGNED NOT NULL,
  account_id INT UNSIGNED NOT NULL,
  last_visit TIMESTAMP NULL,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL
);
CREATE TABLE failed_jobs (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  connection TEXT NOT NULL,
  queue TEXT NOT NULL,
  payload TEXT NOT NULL,
  failed_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP
);
INSERT INTO timezones (id, name, location) VALUES (1, 'UTC', '(UTC) Coordinated Universal Time'), (2, 'Europe/Dublin', '(UTC+00:00) Dublin');
INSERT INTO currencies (id, title, symbol_left, symbol_right, code, decimal_place, value, decimal_point, thousand_point, status) VALUES
  (1, 'U.S. Dollar', '$', '', 'USD', 2, 1, '.', ',', 1), (2, 'Euro', '€', '', 'EUR', 2, 0.74, '.', ',', 1), (3, 'Pound Sterling', '£', '', 'GBP', 2, 0.62, '.', ',', 1);
INSERT INTO order_statuses (id, name) VALUES (1, 'Completed'), (2, 'Refunded'), (3, 'Partially Refunded'), (4, 'Cancelled'), (5, 'Awaiting Payment');
INSERT INTO ticket_statuses (id, name) VALUES (1, 'Sold Out'), (2, 'Sales Have Ended'), (3, 'Not On Sale Yet'), (4, 'On Sale');
INSERT INTO payment_gateways (id, provider_name, provider_url, is_on_site, can_refund, name) VALUES (1, 'Dummy/Test Gateway', 'none', 1, 1, 'Dummy'), (2, 'Stripe', 'https://www.stripe.com', 1, 1, 'Stripe');
INSERT INTO accounts (id, first_name, last_name, email, timezone_id, currency_id, name, is_active, created_at, updated_at) VALUES
  (1, 'Ada', 'Ames', 'ada@example.com', 1, 2, 'North', 1, '2026-01-01', '2026-01-01'), (2, 'Bo', 'Brun', 'bo@example.com', 2, 1, 'South', 1, '2026-01-01', '2026-01-02');
INSERT INTO users (id, account_id, first_name, last_name, email, password, confirmation_code, is_registered, is_confirmed, is_parent, created_at, updated_at) VALUES
  (1, 1, 'Ada', 'Ames', 'ada@example.com', 'x', 'x', 1, 1, 1, '2026-01-01', '2026-01-01'), (2, 2, 'Bo', 'Brun', 'bo@example.com', 'x', 'x', 1, 1, 1, '2026-01-01', '2026-01-01');
INSERT INTO organisers (id, account_id, name, about, email, confirmation_key, created_at, updated_at) VALUES
  (1, 1, 'North Events', '', 'north@example.com', 'x', '2026-01-01', '2026-01-01'), (2, 2, 'South Events', '', 'south@example.com', 'x', '2026-01-01', '2026-01-01');
INSERT INTO events (id, title, description, start_date, end_date, account_id, user_id, currency_id, organiser_id, venue_name, is_live, created_at, updated_at) VALUES
  (1, 'Jazz', '', '2026-06-01 20:00:00', '2026-06-01 23:00:00', 1, 1, 2, 1, 'Hall', 1, '2026-01-02', '2026-01-02'),
  (2, 'Blues', '', '2026-07-01 20:00:00', '2026-07-01 23:00:00', 1, 1, 2, 1, 'Hall', 1, '2026-01-02', '2026-01-03'),
  (3, 'Folk', '', '2026-08-01 20:00:00', '2026-08-01 23:00:00', 2, 2, 1, 2, 'Barn', 0, '2026-01-02', '2026-01-02');
INSERT INTO tickets (id, account_id, event_id, title, description, price, quantity_sold, user_id, created_at, updated_at) VALUES
  (1, 1, 1, 'Standing', '', 20, 12, 1, '2026-01-02', '2026-01-02'), (2, 1, 2, 'Seat', '', 35, 12, 1, '2026-01-02', '2026-01-02'), (3, 2, 3, 'Day', '', 15, 12, 2, '2026-01-02', '2026-01-02');
INSERT INTO orders (account_id, order_status_id, first_name, last_name, email, order_reference, transaction_id, booking_fee, organiser_booking_fee, is_cancelled, is_refunded, is_payment_received, amount, taxamt, event_id, payment_gateway_id, created_at, updated_at, deleted_at)
  WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 36)
  SELECT IF(i % 3 = 0, 2, 1), 1 + (i % 5), 'Kim', CONCAT('Doe', i), CONCAT('kim', i, '@example.com'), CONCAT('R', 100 + i), IF(i % 5 = 4, NULL, CONCAT('ch_', i)), 1.5, 0.5, i % 5 = 3, i % 5 = 1, i % 5 <> 4, 20 + i, IF(i % 2 = 0, 3.5, NULL), IF(i % 3 = 0, 3, i % 3), 2,
    '2026-02-01' + INTERVAL i HOUR, '2026-02-02' + INTERVAL i HOUR, IF(i % 12 = 0, '2026-03-01', NULL) FROM n;
INSERT INTO order_items (title, quantity, unit_price, unit_booking_fee, order_id) SELECT 'Ticket', 1, amount, 2, id FROM orders;
INSERT INTO attendees (order_id, event_id, ticket_id, first_name, last_name, email, reference_index, private_reference_number, is_cancelled, is_refunded, has_arrived, arrival_time, account_id, created_at, updated_at, deleted_at)
  SELECT id, event_id, event_id, first_name, last_name, email, 1, CONCAT('Z', id), is_cancelled OR is_refunded, is_refunded, id % 4 = 0, IF(id % 4 = 0, '2026-06-01 19:40:00', NULL), account_id, created_at, updated_at, deleted_at FROM orders;
INSERT INTO questions (id, title, question_type_id, account_id, is_required) VALUES (1, 'Diet', 1, 1, 0);
INSERT INTO question_answers (attendee_id, event_id, question_id, account_id, answer_text) SELECT id, event_id, 1, account_id, 'none' FROM attendees WHERE event_id = 1;
INSERT INTO messages (message, subject, recipients, account_id, user_id, event_id, is_sent) VALUES ('Doors at seven', 'Doors', 'all', 1, 1, 1, 1);
INSERT INTO event_stats (date, views, tickets_sold, event_id) VALUES ('2026-02-01', 40, 3, 1), ('2026-02-02', 31, 5, 3);
INSERT INTO event_access_codes (event_id, code) VALUES (1, 'FRIENDS');
