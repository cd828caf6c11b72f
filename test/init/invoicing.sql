-- An invoicing product: text ids, integer amounts with two decimals in every currency, a status table, a company key.
-- Columns that no one outside may ever see: invoices.notes, invoices.einvoice_*, client_contacts, and other amounts.
CREATE TABLE si_company (
  company_key VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
  name VARCHAR(255) NOT NULL,
  vat_number VARCHAR(64) NULL COMMENT 'secret',
  smtp_password VARCHAR(255) NULL COMMENT 'secret'
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
  vat_number VARCHAR(64) NULL COMMENT 'secret',
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
  public_token CHAR(36) NOT NULL COMMENT 'secret',
  subtotal_amount BIGINT NOT NULL DEFAULT 0,
  tax_amount BIGINT NOT NULL DEFAULT 0,
  discount_amount BIGINT NULL,
  total_amount BIGINT NOT NULL,
  balance_amount BIGINT NOT NULL DEFAULT 0,
  terms TEXT NULL,
  notes TEXT NULL COMMENT 'secret',
  einvoice_submission_id VARCHAR(64) NULL COMMENT 'secret',
  einvoice_xml MEDIUMTEXT NULL COMMENT 'secret',
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
INSERT INTO si_company (company_key, name) VALUES
  ('cmp-Qimam7', 'Qimam Conferences'),
  ('CMP-qimam7', 'Salon Méditerranée'),
  ('cmp-Empty', 'Empty Halls'),
  ('cmp-Nordlys', 'Nordlys Arrangement');
INSERT INTO si_api_tokens (id, company_key, name, token_hash, permissions, valid_until, revoked) VALUES
  (x'ebf5f62a153e334b1dd1c5efeb2be6e6', 'cmp-Qimam7', 'token both', 'ebf5f62a153e334b1dd1c5efeb2be6e683e4eb472e544d5e4a753ab65b9cc208', 'registration.read, invoices.read', NULL, NULL),
  (x'e53a5684ca3000132a6247c2e438f5f1', 'cmp-Qimam7', 'token registrations', 'e53a5684ca3000132a6247c2e438f5f16b7468dad89fe364d58a2c844e666b74', 'registration.read', NULL, NULL),
  (x'0eaf65ec3ca290d8b33788fa61dafe75', 'cmp-Qimam7', 'token invoices', '0eaf65ec3ca290d8b33788fa61dafe75098548e9904d358c23fe5863022fafa1', 'invoices.read', NULL, NULL);
INSERT INTO si_currencies (id, code, name) VALUES
  (1, 'SAR', 'currency'),
  (2, 'KWD', 'currency'),
  (3, 'JPY', 'currency'),
  (4, 'EUR', 'currency');
INSERT INTO si_clients (id, company_key, currency_id, name) VALUES
  (1, 'cmp-Qimam7', 1, 'client'),
  (2, 'cmp-Qimam7', 2, 'client'),
  (3, 'cmp-Qimam7', 3, 'client'),
  (4, 'cmp-Qimam7', 4, 'client'),
  (5, 'cmp-Qimam7', NULL, 'client'),
  (11, 'CMP-qimam7', 1, 'client'),
  (12, 'CMP-qimam7', 2, 'client'),
  (13, 'CMP-qimam7', 3, 'client'),
  (14, 'CMP-qimam7', 4, 'client'),
  (15, 'CMP-qimam7', NULL, 'client'),
  (21, 'cmp-Empty', 1, 'client'),
  (22, 'cmp-Empty', 2, 'client'),
  (23, 'cmp-Empty', 3, 'client'),
  (24, 'cmp-Empty', 4, 'client'),
  (25, 'cmp-Empty', NULL, 'client'),
  (31, 'cmp-Nordlys', 1, 'client'),
  (32, 'cmp-Nordlys', 2, 'client'),
  (33, 'cmp-Nordlys', 3, 'client'),
  (34, 'cmp-Nordlys', 4, 'client'),
  (35, 'cmp-Nordlys', NULL, 'client');
INSERT INTO si_invoice_statuses (id, name) VALUES
  ('1', 'Draft'),
  ('2', 'Sent'),
  ('3', 'Viewed'),
  ('4', 'Paid'),
  ('5', 'Void'),
  ('7', 'Reversed');
INSERT INTO si_invoices (id, company_key, client_id, status_id, invoice_number, public_token, total_amount, invoice_date, due_date, is_deleted, created, updated) VALUES
  ('inv_5qZTExPXrDfxeFzPA5', 'cmp-Qimam7', 1, 5, '2026/10000', 'token 0', 4, '2025-12-29', '2026-01-28', 0, '2025-12-29 02:25:19.648', '2026-01-05 23:25:19.648'),
  ('inv_70v1Kg0vMuntOG0w3m', 'cmp-Qimam7', 1, 3, '2026/10001', 'token 1', 21784851982, '2025-12-24', '2026-01-23', 0, '2025-12-24 11:25:19.648', '2026-01-05 23:25:19.648'),
  ('inv_nJzshTVYP2IZVQcPjP', 'CMP-qimam7', 12, 5, '2026/10002', 'token 2', 2865, '2025-12-31', '2026-01-30', 0, '2025-12-31 17:25:19.650', '2026-01-05 23:25:19.650'),
  ('inv_HzQrf8Xj6oHeQsaB7R', 'cmp-Qimam7', 2, 3, '2026/10003', 'token 3', 1, '2026-01-01', '2026-01-31', 0, '2026-01-01 01:21:04.677', '2026-01-06 00:21:04.677'),
  ('inv_SMWPqpCxWCD1uf5pBg', 'cmp-Qimam7', 1, 2, '2026/10004', 'token 4', 70, '2025-12-30', '2026-01-29', 0, '2025-12-30 15:54:12.975', '2026-01-06 00:54:12.975'),
  ('inv_hQXp07HGqbodjcMOsr', 'cmp-Nordlys', 32, 1, '2026/10005', 'token 5', 0, '2025-12-22', '2026-01-21', 0, '2025-12-22 22:54:12.975', '2026-01-06 00:54:12.975'),
  ('inv_w0mfDsBgSa5MHUvzRR', 'cmp-Qimam7', 4, 4, '2026/10006', 'token 6', 66, '2025-12-31', '2026-01-30', 0, '2025-12-31 12:20:39.858', '2026-01-06 01:20:39.858'),
  ('inv_81ISPVMtV7JLC2kUC2', 'CMP-qimam7', 14, 1, '2026/10007', 'token 7', 7, '2026-01-03', '2026-02-02', 0, '2026-01-03 02:29:17.227', '2026-01-06 01:29:17.227'),
  ('inv_x0gmb1baoCVMh0XWL7', 'cmp-Nordlys', 33, 1, '2026/10008', 'token 8', -29, '2025-12-19', '2026-01-18', 0, '2025-12-19 12:32:57.047', '2026-01-06 01:32:57.047'),
  ('inv_9LxlcO5kF1UZFxvIfs', 'cmp-Qimam7', 1, 1, '2026/10009', 'token 9', 0, '2025-12-26', '2026-01-25', 0, '2025-12-26 11:32:57.047', '2026-01-06 01:32:57.047');
