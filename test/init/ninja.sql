-- Invoicing for many companies with Laravel's names: a status by number, the currency by the client, soft deletes in two columns.
CREATE TABLE companies (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id INT UNSIGNED NOT NULL,
  company_key VARCHAR(100) NOT NULL COMMENT 'secret',
  db VARCHAR(30) NULL,
  subdomain VARCHAR(80) NULL,
  smtp_password VARCHAR(190) NULL COMMENT 'secret',
  created_at TIMESTAMP(6) NULL,
  updated_at TIMESTAMP(6) NULL
);
CREATE TABLE accounts (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  plan VARCHAR(20) NULL,
  `key` VARCHAR(50) NULL COMMENT 'secret',
  default_company_id INT UNSIGNED NULL
);
CREATE TABLE currencies (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(80) NOT NULL,
  symbol VARCHAR(10) NOT NULL,
  `precision` VARCHAR(4) NOT NULL,
  code VARCHAR(10) NOT NULL
);
CREATE TABLE clients (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  company_id INT UNSIGNED NOT NULL,
  user_id INT UNSIGNED NOT NULL,
  name VARCHAR(190) NULL,
  client_hash TEXT NULL COMMENT 'secret',
  phone VARCHAR(190) NULL COMMENT 'secret',
  address1 VARCHAR(190) NULL COMMENT 'secret',
  vat_number VARCHAR(190) NULL COMMENT 'secret',
  balance DECIMAL(20,6) NOT NULL DEFAULT 0,
  currency_id INT UNSIGNED NULL,
  is_deleted TINYINT(1) NOT NULL DEFAULT 0,
  created_at TIMESTAMP(6) NULL,
  updated_at TIMESTAMP(6) NULL,
  deleted_at TIMESTAMP(6) NULL,
  FOREIGN KEY (company_id) REFERENCES companies (id)
);
CREATE TABLE client_contacts (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  company_id INT UNSIGNED NOT NULL,
  client_id INT UNSIGNED NOT NULL,
  first_name VARCHAR(190) NULL,
  last_name VARCHAR(190) NULL,
  email VARCHAR(100) NULL,
  password VARCHAR(190) NULL COMMENT 'secret',
  contact_key VARCHAR(100) NULL COMMENT 'secret',
  is_primary TINYINT(1) NOT NULL DEFAULT 0,
  FOREIGN KEY (client_id) REFERENCES clients (id)
);
CREATE TABLE invoices (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  company_id INT UNSIGNED NOT NULL,
  client_id INT UNSIGNED NOT NULL,
  user_id INT UNSIGNED NOT NULL,
  status_id INT UNSIGNED NOT NULL,
  number VARCHAR(190) NULL,
  po_number VARCHAR(190) NULL,
  discount DOUBLE NOT NULL DEFAULT 0,
  date DATE NULL,
  due_date DATETIME NULL,
  is_deleted TINYINT(1) NOT NULL DEFAULT 0,
  line_items MEDIUMTEXT NULL,
  public_notes TEXT NULL COMMENT 'secret',
  private_notes TEXT NULL COMMENT 'secret',
  tax_rate1 DECIMAL(20,6) NOT NULL DEFAULT 0,
  total_taxes DECIMAL(20,6) NOT NULL DEFAULT 0,
  amount DECIMAL(20,6) NOT NULL,
  balance DECIMAL(20,6) NOT NULL,
  partial DECIMAL(20,6) NULL,
  partial_due_date DATETIME NULL,
  exchange_rate DECIMAL(20,6) NOT NULL DEFAULT 1,
  paid_to_date DECIMAL(20,6) NOT NULL DEFAULT 0,
  next_send_date DATE NULL,
  last_sent_date DATE NULL,
  auto_bill TINYINT(1) NOT NULL DEFAULT 0,
  created_at TIMESTAMP(6) NULL,
  updated_at TIMESTAMP(6) NULL,
  deleted_at TIMESTAMP(6) NULL,
  FOREIGN KEY (company_id) REFERENCES companies (id),
  FOREIGN KEY (client_id) REFERENCES clients (id)
);
CREATE TABLE quotes (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  company_id INT UNSIGNED NOT NULL,
  client_id INT UNSIGNED NOT NULL,
  status_id INT UNSIGNED NOT NULL,
  number VARCHAR(190) NULL,
  date DATE NULL,
  due_date DATETIME NULL,
  amount DECIMAL(20,6) NOT NULL,
  balance DECIMAL(20,6) NOT NULL,
  created_at TIMESTAMP(6) NULL,
  updated_at TIMESTAMP(6) NULL
);
CREATE TABLE invoice_invitations (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  company_id INT UNSIGNED NOT NULL,
  client_contact_id INT UNSIGNED NOT NULL,
  invoice_id INT UNSIGNED NOT NULL,
  `key` VARCHAR(100) NOT NULL COMMENT 'secret',
  transaction_reference VARCHAR(190) NULL COMMENT 'secret',
  sent_date DATETIME(6) NULL,
  viewed_date DATETIME(6) NULL
);
CREATE TABLE payments (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  company_id INT UNSIGNED NOT NULL,
  client_id INT UNSIGNED NOT NULL,
  status_id INT UNSIGNED NOT NULL,
  amount DECIMAL(20,6) NOT NULL,
  date DATE NULL,
  transaction_reference VARCHAR(190) NULL COMMENT 'secret',
  number VARCHAR(190) NULL,
  created_at TIMESTAMP(6) NULL,
  updated_at TIMESTAMP(6) NULL
);
CREATE TABLE company_tokens (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  company_id INT UNSIGNED NOT NULL,
  token VARCHAR(190) NULL COMMENT 'secret',
  name VARCHAR(190) NULL
);
INSERT INTO accounts VALUES (1, 'pro', 'k', 1);
INSERT INTO companies (id, account_id, company_key) VALUES (1, 1, 'k'), (2, 1, 'l');
INSERT INTO currencies VALUES (1, 'US Dollar', '$', '2', 'USD'), (2, 'Euro', '€', '2', 'EUR');
INSERT INTO clients (id, company_id, user_id, name, currency_id) VALUES (1, 1, 1, 'Acme', 1), (2, 2, 1, 'Beta', 2);
INSERT INTO client_contacts (company_id, client_id, first_name, email) VALUES (1, 1, 'Ada', 'ada@example.com');
INSERT INTO invoices (company_id, client_id, user_id, status_id, number, date, amount, balance, created_at, updated_at) VALUES
 (1, 1, 1, 2, '0001', '2026-01-02', 10, 10, '2026-01-02', '2026-01-02'), (2, 2, 1, 4, '0001', '2026-01-02', 20, 0, '2026-01-02', '2026-01-03');
INSERT INTO payments (company_id, client_id, status_id, amount, date) VALUES (2, 2, 4, 20, '2026-01-03');
