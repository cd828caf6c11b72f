-- An invoicing product: text ids, integer amounts with two decimals in every currency, a status table, a company key.
-- Columns that no one outside may ever see: invoices.notes, invoices.einvoice_*, client_contacts, and other amounts.
CREATE TABLE si_company (
  company_key VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
  name VARCHAR(255) NOT NULL,
  vat_number VARCHAR(64) NULL,
  smtp_password VARCHAR(255) NULL
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
CREATE TABLE si_api_tokens (
  id BINARY(16) NOT NULL PRIMARY KEY,
  company_key VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  name VARCHAR(125) NOT NULL,
  token_hash VARCHAR(64) CHARACTER SET ascii NOT NULL,
  permissions VARCHAR(255) NOT NULL,
  valid_until TIMESTAMP(3) NULL,
  revoked DATETIME NULL,
  UNIQUE KEY uniq_si_api_tokens_hash (token_hash)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
CREATE TABLE si_currencies (
  id SMALLINT UNSIGNED NOT NULL PRIMARY KEY,
  code CHAR(3) NOT NULL,
  name VARCHAR(64) NOT NULL,
  exchange_rate DECIMAL(13,6) NOT NULL DEFAULT 1.000000
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
CREATE TABLE si_clients (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  company_key VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  currency_id SMALLINT UNSIGNED NULL,
  name VARCHAR(125) NOT NULL,
  website VARCHAR(125) NULL,
  vat_number VARCHAR(64) NULL,
  private_notes TEXT NULL,
  KEY idx_si_clients_company (company_key)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
CREATE TABLE si_invoice_statuses (
  id TINYINT UNSIGNED NOT NULL PRIMARY KEY,
  name VARCHAR(40) NOT NULL,
  sort_order INT NOT NULL DEFAULT 0
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
CREATE TABLE si_invoices (
  id VARCHAR(24) NOT NULL PRIMARY KEY,
  company_key VARCHAR(32) NOT NULL,
  client_id INT UNSIGNED NOT NULL,
  status_id TINYINT UNSIGNED NOT NULL DEFAULT 1,
  invoice_number VARCHAR(64) NULL,
  po_number VARCHAR(64) NULL,
  public_token CHAR(36) NOT NULL,
  subtotal_amount BIGINT NOT NULL DEFAULT 0,
  tax_amount BIGINT NOT NULL DEFAULT 0,
  discount_amount BIGINT NULL,
  total_amount BIGINT NOT NULL,
  balance_amount BIGINT NOT NULL DEFAULT 0,
  terms TEXT NULL,
  notes TEXT NULL,
  einvoice_submission_id VARCHAR(64) NULL,
  einvoice_xml MEDIUMTEXT NULL,
  invoice_date DATE NOT NULL,
  due_date DATE NULL,
  paid_on DATETIME NULL,
  is_deleted TINYINT(1) NOT NULL DEFAULT 0,
  archived_at DATETIME NULL,
  created DATETIME(3) NOT NULL,
  updated DATETIME(3) NOT NULL,
  KEY idx_si_invoices_client (client_id),
  KEY idx_si_invoices_status (company_key, status_id, updated),
  KEY idx_si_invoices_sync (company_key, updated)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
