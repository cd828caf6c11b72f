-- A sales and marketing product of PHP: ids are text, each relation has a table, addresses of e-mail stand apart, everything is soft deleted.
CREATE TABLE users (
  id CHAR(36) NOT NULL PRIMARY KEY,
  user_name VARCHAR(60) NULL,
  user_hash VARCHAR(255) NULL COMMENT 'secret',
  authenticate_id VARCHAR(100) NULL COMMENT 'secret',
  first_name VARCHAR(30) NULL,
  last_name VARCHAR(30) NULL,
  deleted TINYINT(1) NULL
);
CREATE TABLE accounts (
  id CHAR(36) NOT NULL PRIMARY KEY,
  name VARCHAR(150) NULL,
  date_entered DATETIME NULL,
  date_modified DATETIME NULL,
  deleted TINYINT(1) NULL,
  phone_office VARCHAR(100) NULL COMMENT 'secret',
  billing_address_street VARCHAR(150) NULL COMMENT 'secret'
);
CREATE TABLE contacts (
  id CHAR(36) NOT NULL PRIMARY KEY,
  date_entered DATETIME NULL,
  date_modified DATETIME NULL,
  deleted TINYINT(1) NULL,
  salutation VARCHAR(255) NULL,
  first_name VARCHAR(100) NULL,
  last_name VARCHAR(100) NULL,
  title VARCHAR(100) NULL COMMENT 'secret',
  phone_mobile VARCHAR(100) NULL COMMENT 'secret',
  primary_address_street VARCHAR(150) NULL COMMENT 'secret',
  birthdate DATE NULL COMMENT 'secret'
);
CREATE TABLE email_addresses (
  id CHAR(36) NOT NULL PRIMARY KEY,
  email_address VARCHAR(255) NULL,
  email_address_caps VARCHAR(255) NULL,
  invalid_email TINYINT(1) NULL,
  opt_out TINYINT(1) NULL,
  confirm_opt_in_token VARCHAR(255) NULL COMMENT 'secret',
  date_created DATETIME NULL,
  deleted TINYINT(1) NULL
);
CREATE TABLE email_addr_bean_rel (
  id CHAR(36) NOT NULL PRIMARY KEY,
  email_address_id CHAR(36) NOT NULL,
  bean_id CHAR(36) NOT NULL,
  bean_module VARCHAR(100) NULL,
  primary_address TINYINT(1) NULL,
  reply_to_address TINYINT(1) NULL,
  deleted TINYINT(1) NULL,
  KEY bean (bean_id, bean_module)
);
CREATE TABLE fp_events (
  id CHAR(36) NOT NULL PRIMARY KEY,
  name VARCHAR(255) NULL,
  date_entered DATETIME NULL,
  date_modified DATETIME NULL,
  deleted TINYINT(1) NULL,
  date_start DATETIME NULL,
  date_end DATETIME NULL,
  budget DECIMAL(26,6) NULL,
  currency_id CHAR(36) NULL
);
CREATE TABLE fp_events_contacts_c (
  id VARCHAR(36) NOT NULL PRIMARY KEY,
  date_modified DATETIME NULL,
  deleted TINYINT(1) NULL,
  fp_events_contactsfp_events_ida VARCHAR(36) NULL,
  fp_events_contactscontacts_idb VARCHAR(36) NULL,
  invite_status VARCHAR(25) NULL,
  accept_status VARCHAR(25) NULL,
  email_responded INT NULL
);
CREATE TABLE currencies (
  id CHAR(36) NOT NULL PRIMARY KEY,
  name VARCHAR(36) NULL,
  symbol VARCHAR(36) NULL,
  iso4217 VARCHAR(3) NULL,
  conversion_rate DOUBLE NULL,
  status VARCHAR(100) NULL,
  deleted TINYINT(1) NULL
);
CREATE TABLE aos_invoices (
  id CHAR(36) NOT NULL PRIMARY KEY,
  name VARCHAR(255) NULL,
  date_entered DATETIME NULL,
  date_modified DATETIME NULL,
  modified_user_id CHAR(36) NULL,
  created_by CHAR(36) NULL,
  description TEXT NULL,
  deleted TINYINT(1) NULL,
  assigned_user_id CHAR(36) NULL,
  billing_account_id CHAR(36) NULL,
  billing_contact_id CHAR(36) NULL,
  billing_address_street VARCHAR(150) NULL COMMENT 'secret',
  billing_address_postalcode VARCHAR(20) NULL COMMENT 'secret',
  number INT NOT NULL,
  total_amt DECIMAL(26,6) NULL,
  subtotal_amount DECIMAL(26,6) NULL,
  discount_amount DECIMAL(26,6) NULL,
  tax_amount DECIMAL(26,6) NULL,
  shipping_amount DECIMAL(26,6) NULL,
  total_amount DECIMAL(26,6) NULL,
  currency_id CHAR(36) NULL,
  quote_number INT NULL,
  quote_date DATE NULL,
  invoice_date DATE NULL,
  due_date DATE NULL,
  status VARCHAR(100) NULL
);
CREATE TABLE aos_quotes (
  id CHAR(36) NOT NULL PRIMARY KEY,
  name VARCHAR(255) NULL,
  date_entered DATETIME NULL,
  date_modified DATETIME NULL,
  deleted TINYINT(1) NULL,
  number INT NOT NULL,
  total_amount DECIMAL(26,6) NULL,
  currency_id CHAR(36) NULL,
  stage VARCHAR(100) NULL,
  expiration DATE NULL
);
CREATE TABLE oauth2tokens (
  id CHAR(36) NOT NULL PRIMARY KEY,
  token_is_revoked TINYINT(1) NULL,
  access_token TEXT NULL COMMENT 'secret',
  refresh_token TEXT NULL COMMENT 'secret'
);
INSERT INTO accounts (id, name, deleted) VALUES ('a1', 'Acme', 0);
INSERT INTO contacts (id, first_name, last_name, deleted) VALUES ('c1', 'Ada', 'Ames', 0), ('c2', 'Bo', 'Brun', 0);
INSERT INTO email_addresses (id, email_address, deleted) VALUES ('e1', 'ada@example.com', 0), ('e2', 'bo@example.com', 0);
INSERT INTO email_addr_bean_rel VALUES ('r1', 'e1', 'c1', 'Contacts', 1, 0, 0), ('r2', 'e2', 'c2', 'Contacts', 1, 0, 0);
INSERT INTO fp_events (id, name, date_start, deleted) VALUES ('f1', 'Fair', '2026-05-01', 0);
INSERT INTO fp_events_contacts_c VALUES ('p1', '2026-01-01', 0, 'f1', 'c1', 'Invited', 'Accepted', 0), ('p2', '2026-01-02', 0, 'f1', 'c2', 'Not Invited', 'No Response', 0);
INSERT INTO currencies (id, name, symbol, iso4217, status, deleted) VALUES ('m1', 'Euro', '€', 'EUR', 'Active', 0), ('m2', 'US Dollar', '$', 'USD', 'Active', 0);
INSERT INTO aos_invoices (id, name, date_entered, date_modified, deleted, billing_account_id, number, total_amt, total_amount, currency_id, invoice_date, due_date, status) VALUES
 ('i1', 'First', '2026-01-01', '2026-01-01', 0, 'a1', 1, 10, 12, 'm1', '2026-01-01', '2026-02-01', 'Paid'), ('i2', 'Second', '2026-01-02', '2026-01-02', 0, 'a1', 2, 20, 24, 'm2', '2026-01-02', '2026-02-02', 'Unpaid');
