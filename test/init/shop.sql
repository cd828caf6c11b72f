-- A shop that sells courses: orders that are billed, ids in front of the names, a status in several languages, a prefix.
CREATE TABLE ws_shop (
  id_shop INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(64) NOT NULL,
  active TINYINT(1) NOT NULL DEFAULT 1,
  deleted TINYINT(1) NOT NULL DEFAULT 0
);
CREATE TABLE ws_currency (
  id_currency INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(64) NOT NULL,
  iso_code VARCHAR(3) NOT NULL,
  conversion_rate DECIMAL(13,6) NOT NULL,
  deleted TINYINT(1) NOT NULL DEFAULT 0
);
CREATE TABLE ws_customer (
  id_customer INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  id_shop INT UNSIGNED NOT NULL DEFAULT 1,
  firstname VARCHAR(255) NOT NULL,
  lastname VARCHAR(255) NOT NULL,
  email VARCHAR(255) NOT NULL,
  passwd VARCHAR(255) NOT NULL COMMENT 'secret',
  secure_key VARCHAR(32) NOT NULL COMMENT 'secret',
  siret VARCHAR(14) NULL COMMENT 'secret',
  birthday DATE NULL,
  reset_password_token VARCHAR(40) NULL COMMENT 'secret',
  active TINYINT(1) NOT NULL DEFAULT 0,
  deleted TINYINT(1) NOT NULL DEFAULT 0,
  date_add DATETIME NOT NULL,
  date_upd DATETIME NOT NULL
);
CREATE TABLE ws_address (
  id_address INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  id_customer INT UNSIGNED NOT NULL DEFAULT 0,
  company VARCHAR(255) NULL,
  lastname VARCHAR(255) NOT NULL,
  firstname VARCHAR(255) NOT NULL,
  address1 VARCHAR(128) NOT NULL COMMENT 'secret',
  address2 VARCHAR(128) NULL COMMENT 'secret',
  postcode VARCHAR(12) NULL COMMENT 'secret',
  city VARCHAR(64) NOT NULL COMMENT 'secret',
  phone VARCHAR(32) NULL COMMENT 'secret',
  phone_mobile VARCHAR(32) NULL COMMENT 'secret',
  vat_number VARCHAR(32) NULL COMMENT 'secret',
  dni VARCHAR(16) NULL COMMENT 'secret',
  date_add DATETIME NOT NULL,
  date_upd DATETIME NOT NULL
);
CREATE TABLE ws_order_state (
  id_order_state INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  invoice TINYINT(1) NULL,
  color VARCHAR(32) NULL,
  paid TINYINT(1) NOT NULL DEFAULT 0
);
CREATE TABLE ws_order_state_lang (
  id_order_state INT UNSIGNED NOT NULL,
  id_lang INT UNSIGNED NOT NULL,
  name VARCHAR(64) NOT NULL,
  PRIMARY KEY (id_order_state, id_lang)
);
CREATE TABLE ws_orders (
  id_order INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  reference VARCHAR(9) NULL,
  id_shop_group INT UNSIGNED NOT NULL DEFAULT 1,
  id_shop INT UNSIGNED NOT NULL DEFAULT 1,
  id_carrier INT UNSIGNED NOT NULL,
  id_lang INT UNSIGNED NOT NULL,
  id_customer INT UNSIGNED NOT NULL,
  id_cart INT UNSIGNED NOT NULL,
  id_currency INT UNSIGNED NOT NULL,
  id_address_delivery INT UNSIGNED NOT NULL,
  id_address_invoice INT UNSIGNED NOT NULL,
  current_state INT UNSIGNED NOT NULL,
  secure_key VARCHAR(32) NOT NULL DEFAULT '-1' COMMENT 'secret',
  payment VARCHAR(255) NOT NULL,
  conversion_rate DECIMAL(13,6) NOT NULL DEFAULT 1.000000,
  total_discounts_tax_incl DECIMAL(20,6) NOT NULL DEFAULT 0,
  total_paid DECIMAL(20,6) NOT NULL DEFAULT 0,
  total_paid_tax_incl DECIMAL(20,6) NOT NULL DEFAULT 0,
  total_paid_tax_excl DECIMAL(20,6) NOT NULL DEFAULT 0,
  total_paid_real DECIMAL(20,6) NOT NULL DEFAULT 0,
  total_products DECIMAL(20,6) NOT NULL DEFAULT 0,
  total_shipping_tax_incl DECIMAL(20,6) NOT NULL DEFAULT 0,
  invoice_number INT UNSIGNED NOT NULL DEFAULT 0,
  delivery_number INT UNSIGNED NOT NULL DEFAULT 0,
  invoice_date DATETIME NULL,
  delivery_date DATETIME NULL,
  valid INT UNSIGNED NOT NULL DEFAULT 0,
  date_add DATETIME NOT NULL,
  date_upd DATETIME NOT NULL,
  KEY customer (id_customer),
  KEY shop (id_shop)
);
CREATE TABLE ws_order_detail (
  id_order_detail INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  id_order INT UNSIGNED NOT NULL,
  product_id INT UNSIGNED NOT NULL,
  product_name VARCHAR(255) NOT NULL,
  product_quantity INT UNSIGNED NOT NULL DEFAULT 0,
  product_price DECIMAL(20,6) NOT NULL DEFAULT 0,
  download_hash VARCHAR(255) NULL COMMENT 'secret'
);
CREATE TABLE ws_order_payment (
  id_order_payment INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_reference VARCHAR(9) NULL,
  id_currency INT UNSIGNED NOT NULL,
  amount DECIMAL(20,6) NOT NULL,
  transaction_id VARCHAR(254) NULL,
  card_number VARCHAR(254) NULL COMMENT 'secret',
  card_holder VARCHAR(254) NULL COMMENT 'secret',
  date_add DATETIME NOT NULL
);
CREATE TABLE ws_cart (
  id_cart INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  id_shop INT UNSIGNED NOT NULL DEFAULT 1,
  id_currency INT UNSIGNED NOT NULL,
  id_customer INT UNSIGNED NOT NULL,
  secure_key VARCHAR(32) NOT NULL COMMENT 'secret',
  date_add DATETIME NOT NULL,
  date_upd DATETIME NOT NULL
);
CREATE TABLE ws_employee (
  id_employee INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  lastname VARCHAR(255) NOT NULL,
  firstname VARCHAR(255) NOT NULL,
  email VARCHAR(255) NOT NULL,
  passwd VARCHAR(255) NOT NULL COMMENT 'secret'
);
CREATE TABLE ws_webservice_account (
  id_webservice_account INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  `key` VARCHAR(32) NOT NULL COMMENT 'secret',
  description TEXT NULL,
  active TINYINT NOT NULL
);
INSERT INTO ws_shop (id_shop, name) VALUES (1, 'North'), (2, 'South');
INSERT INTO ws_currency (id_currency, name, iso_code, conversion_rate) VALUES (1, 'Euro', 'EUR', 1), (2, 'Pound', 'GBP', 0.9);
INSERT INTO ws_customer (id_customer, id_shop, firstname, lastname, email, passwd, secure_key, date_add, date_upd) VALUES
  (1, 1, 'Ada', 'Ames', 'ada@example.com', 'x', 'k1', '2026-01-01', '2026-01-01'), (2, 2, 'Bo', 'Brun', 'bo@example.com', 'x', 'k2', '2026-01-01', '2026-01-01');
INSERT INTO ws_order_state (id_order_state, paid) VALUES (1, 0), (2, 1), (6, 0);
INSERT INTO ws_order_state_lang VALUES (1, 1, 'Awaiting payment'), (2, 1, 'Paid'), (6, 1, 'Cancelled');
INSERT INTO ws_orders (reference, id_shop, id_carrier, id_lang, id_customer, id_cart, id_currency, id_address_delivery, id_address_invoice,
  current_state, secure_key, payment, total_paid, total_paid_tax_incl, invoice_number, invoice_date, date_add, date_upd) VALUES
  ('KHWLILZLL', 1, 1, 1, 1, 1, 1, 1, 1, 2, 'k1', 'card', 10, 10, 1, '2026-01-02', '2026-01-01', '2026-01-02'),
  ('OHSATSERP', 1, 1, 1, 1, 2, 1, 1, 1, 1, 'k1', 'card', 20, 20, 2, '2026-01-03', '2026-01-02', '2026-01-03'),
  ('XKBKNABJK', 2, 1, 1, 2, 3, 2, 2, 2, 6, 'k2', 'wire', 30, 30, 3, '2026-01-04', '2026-01-03', '2026-01-04');
INSERT INTO ws_order_detail (id_order, product_id, product_name, product_quantity, product_price) VALUES (1, 1, 'Course', 1, 10), (2, 1, 'Course', 2, 10), (3, 2, 'Book', 1, 30);
