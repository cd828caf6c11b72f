-- A framework that makes a table of each document type: names with spaces, a text id `name`, links without foreign keys, and the same
-- columns in front of all. A ticket is a document of one extension, an invoice one of the accounting. One site is one database.
CREATE TABLE tabUser (
  name VARCHAR(140) NOT NULL PRIMARY KEY, creation DATETIME(6) NULL, modified DATETIME(6) NULL, modified_by VARCHAR(140) NULL, owner VARCHAR(140) NULL, docstatus TINYINT NOT NULL DEFAULT 0, idx INT NOT NULL DEFAULT 0,
  enabled TINYINT NOT NULL DEFAULT 0,
  email VARCHAR(140) NULL, first_name VARCHAR(140) NULL, last_name VARCHAR(140) NULL, full_name VARCHAR(140) NULL, username VARCHAR(140) NULL, language VARCHAR(140) NULL, time_zone VARCHAR(140) NULL,
  phone VARCHAR(140) NULL COMMENT 'secret',
  mobile_no VARCHAR(140) NULL COMMENT 'secret',
  birth_date DATE NULL COMMENT 'secret',
  reset_password_key VARCHAR(140) NULL COMMENT 'secret',
  api_key VARCHAR(140) NULL COMMENT 'secret',
  api_secret TEXT NULL COMMENT 'secret',
  last_ip VARCHAR(140) NULL COMMENT 'secret',
  last_login DATETIME(6) NULL, last_active DATETIME(6) NULL,
  user_type VARCHAR(140) NULL,
  UNIQUE KEY username (username),
  KEY modified (modified)
);
CREATE TABLE __Auth (doctype VARCHAR(140) NOT NULL, name VARCHAR(255) NOT NULL, fieldname VARCHAR(140) NOT NULL, password TEXT NOT NULL COMMENT 'secret', encrypted TINYINT NOT NULL DEFAULT 0, PRIMARY KEY (doctype, name, fieldname));
CREATE TABLE tabSessions (user VARCHAR(255) NULL, sid VARCHAR(255) NULL COMMENT 'secret', sessiondata LONGTEXT NULL COMMENT 'secret', lastupdate DATETIME(6) NULL, status VARCHAR(20) NULL, KEY sid (sid));
CREATE TABLE tabSingles (doctype VARCHAR(255) NULL, field VARCHAR(255) NULL, value LONGTEXT NULL COMMENT 'secret', KEY singles_doctype_field_index (doctype, field));
CREATE TABLE `tabOAuth Bearer Token` (
  name VARCHAR(140) NOT NULL PRIMARY KEY, creation DATETIME(6) NULL, modified DATETIME(6) NULL, modified_by VARCHAR(140) NULL, owner VARCHAR(140) NULL, docstatus TINYINT NOT NULL DEFAULT 0, idx INT NOT NULL DEFAULT 0,
  client VARCHAR(140) NULL, user VARCHAR(140) NULL,
  scopes TEXT NULL,
  access_token VARCHAR(140) NULL COMMENT 'secret',
  refresh_token VARCHAR(140) NULL COMMENT 'secret',
  expiration_time DATETIME(6) NULL,
  status VARCHAR(140) NULL,
  KEY modified (modified)
);
CREATE TABLE tabVersion (
  name VARCHAR(140) NOT NULL PRIMARY KEY, creation DATETIME(6) NULL, modified DATETIME(6) NULL, modified_by VARCHAR(140) NULL, owner VARCHAR(140) NULL, docstatus TINYINT NOT NULL DEFAULT 0, idx INT NOT NULL DEFAULT 0,
  ref_doctype VARCHAR(140) NULL, docname VARCHAR(140) NULL,
  data LONGTEXT NULL COMMENT 'secret',
  KEY ref_doctype_docname_index (ref_doctype, docname)
);
CREATE TABLE tabCurrency (
  name VARCHAR(140) NOT NULL PRIMARY KEY, creation DATETIME(6) NULL, modified DATETIME(6) NULL, modified_by VARCHAR(140) NULL, owner VARCHAR(140) NULL, docstatus TINYINT NOT NULL DEFAULT 0, idx INT NOT NULL DEFAULT 0,
  currency_name VARCHAR(140) NULL, fraction VARCHAR(140) NULL, symbol VARCHAR(140) NULL, number_format VARCHAR(140) NULL,
  enabled TINYINT NOT NULL DEFAULT 0,
  fraction_units INT NOT NULL DEFAULT 0,
  KEY modified (modified)
);
CREATE TABLE tabCompany (
  name VARCHAR(140) NOT NULL PRIMARY KEY, creation DATETIME(6) NULL, modified DATETIME(6) NULL, modified_by VARCHAR(140) NULL, owner VARCHAR(140) NULL, docstatus TINYINT NOT NULL DEFAULT 0, idx INT NOT NULL DEFAULT 0,
  company_name VARCHAR(140) NULL, abbr VARCHAR(140) NULL, default_currency VARCHAR(140) NULL, country VARCHAR(140) NULL, domain VARCHAR(140) NULL, email VARCHAR(140) NULL, website VARCHAR(140) NULL,
  tax_id VARCHAR(140) NULL COMMENT 'secret',
  phone_no VARCHAR(140) NULL COMMENT 'secret',
  date_of_establishment DATE NULL,
  registration_details LONGTEXT NULL COMMENT 'secret',
  lft INT NOT NULL DEFAULT 0, rgt INT NOT NULL DEFAULT 0,
  KEY modified (modified)
);
CREATE TABLE tabCustomer (
  name VARCHAR(140) NOT NULL PRIMARY KEY, creation DATETIME(6) NULL, modified DATETIME(6) NULL, modified_by VARCHAR(140) NULL, owner VARCHAR(140) NULL, docstatus TINYINT NOT NULL DEFAULT 0, idx INT NOT NULL DEFAULT 0,
  _user_tags TEXT NULL, _comments TEXT NULL, _assign TEXT NULL, _liked_by TEXT NULL,
  naming_series VARCHAR(140) NULL, customer_name VARCHAR(140) NULL, customer_type VARCHAR(140) NULL, customer_group VARCHAR(140) NULL, territory VARCHAR(140) NULL, default_currency VARCHAR(140) NULL, customer_primary_contact VARCHAR(140) NULL, email_id VARCHAR(140) NULL,
  disabled TINYINT NOT NULL DEFAULT 0,
  tax_id VARCHAR(140) NULL COMMENT 'secret',
  mobile_no VARCHAR(140) NULL COMMENT 'secret',
  primary_address TEXT NULL COMMENT 'secret',
  customer_details LONGTEXT NULL COMMENT 'secret',
  KEY modified (modified)
);
CREATE TABLE tabContact (
  name VARCHAR(140) NOT NULL PRIMARY KEY, creation DATETIME(6) NULL, modified DATETIME(6) NULL, modified_by VARCHAR(140) NULL, owner VARCHAR(140) NULL, docstatus TINYINT NOT NULL DEFAULT 0, idx INT NOT NULL DEFAULT 0,
  first_name VARCHAR(140) NULL, last_name VARCHAR(140) NULL, full_name VARCHAR(140) NULL, email_id VARCHAR(140) NULL, user VARCHAR(140) NULL, status VARCHAR(140) NULL, company_name VARCHAR(140) NULL,
  phone VARCHAR(140) NULL COMMENT 'secret',
  mobile_no VARCHAR(140) NULL COMMENT 'secret',
  is_primary_contact TINYINT NOT NULL DEFAULT 0,
  KEY modified (modified)
);
CREATE TABLE tabAddress (
  name VARCHAR(140) NOT NULL PRIMARY KEY, creation DATETIME(6) NULL, modified DATETIME(6) NULL, modified_by VARCHAR(140) NULL, owner VARCHAR(140) NULL, docstatus TINYINT NOT NULL DEFAULT 0, idx INT NOT NULL DEFAULT 0,
  address_title VARCHAR(140) NULL, address_type VARCHAR(140) NULL,
  address_line1 VARCHAR(240) NULL COMMENT 'secret',
  address_line2 VARCHAR(240) NULL COMMENT 'secret',
  city VARCHAR(140) NULL COMMENT 'secret',
  state VARCHAR(140) NULL, country VARCHAR(140) NULL,
  pincode VARCHAR(140) NULL COMMENT 'secret',
  phone VARCHAR(140) NULL COMMENT 'secret',
  fax VARCHAR(140) NULL COMMENT 'secret',
  email_id VARCHAR(140) NULL,
  is_primary_address TINYINT NOT NULL DEFAULT 0,
  KEY modified (modified)
);
CREATE TABLE `tabSales Invoice` (
  name VARCHAR(140) NOT NULL PRIMARY KEY, creation DATETIME(6) NULL, modified DATETIME(6) NULL, modified_by VARCHAR(140) NULL, owner VARCHAR(140) NULL, docstatus TINYINT NOT NULL DEFAULT 0, idx INT NOT NULL DEFAULT 0,
  _user_tags TEXT NULL, _comments TEXT NULL, _assign TEXT NULL, _liked_by TEXT NULL,
  title VARCHAR(140) NULL, naming_series VARCHAR(140) NULL, customer VARCHAR(140) NULL, customer_name VARCHAR(140) NULL, company VARCHAR(140) NULL, currency VARCHAR(140) NULL, status VARCHAR(140) NULL, amended_from VARCHAR(140) NULL, return_against VARCHAR(140) NULL,
  posting_date DATE NULL, posting_time TIME(6) NULL, due_date DATE NULL,
  is_pos TINYINT NOT NULL DEFAULT 0, is_return TINYINT NOT NULL DEFAULT 0, is_debit_note TINYINT NOT NULL DEFAULT 0, set_posting_time TINYINT NOT NULL DEFAULT 0, update_stock TINYINT NOT NULL DEFAULT 0,
  price_list_currency VARCHAR(140) NULL, debit_to VARCHAR(140) NULL, cost_center VARCHAR(140) NULL, customer_address VARCHAR(140) NULL, contact_person VARCHAR(140) NULL, contact_email VARCHAR(140) NULL, party_account_currency VARCHAR(140) NULL,
  tax_id VARCHAR(140) NULL COMMENT 'secret',
  company_tax_id VARCHAR(140) NULL COMMENT 'secret',
  address_display LONGTEXT NULL COMMENT 'secret',
  contact_mobile TEXT NULL COMMENT 'secret',
  company_address_display LONGTEXT NULL COMMENT 'secret',
  remarks TEXT NULL COMMENT 'secret',
  po_no VARCHAR(140) NULL, po_date DATE NULL,
  conversion_rate DECIMAL(21,9) NOT NULL DEFAULT 0, base_net_total DECIMAL(21,9) NOT NULL DEFAULT 0, net_total DECIMAL(21,9) NOT NULL DEFAULT 0, base_total DECIMAL(21,9) NOT NULL DEFAULT 0, total DECIMAL(21,9) NOT NULL DEFAULT 0, total_taxes_and_charges DECIMAL(21,9) NOT NULL DEFAULT 0, base_grand_total DECIMAL(21,9) NOT NULL DEFAULT 0,
  grand_total DECIMAL(21,9) NOT NULL DEFAULT 0, rounding_adjustment DECIMAL(21,9) NOT NULL DEFAULT 0, rounded_total DECIMAL(21,9) NOT NULL DEFAULT 0, total_advance DECIMAL(21,9) NOT NULL DEFAULT 0, outstanding_amount DECIMAL(21,9) NOT NULL DEFAULT 0, paid_amount DECIMAL(21,9) NOT NULL DEFAULT 0, discount_amount DECIMAL(21,9) NOT NULL DEFAULT 0,
  KEY customer (customer), KEY posting_date (posting_date),
  KEY modified (modified)
);
CREATE TABLE `tabSales Invoice Item` (
  name VARCHAR(140) NOT NULL PRIMARY KEY, creation DATETIME(6) NULL, modified DATETIME(6) NULL, modified_by VARCHAR(140) NULL, owner VARCHAR(140) NULL, docstatus TINYINT NOT NULL DEFAULT 0, idx INT NOT NULL DEFAULT 0,
  parent VARCHAR(140) NULL, parentfield VARCHAR(140) NULL, parenttype VARCHAR(140) NULL,
  item_code VARCHAR(140) NULL, item_name VARCHAR(140) NULL, income_account VARCHAR(140) NULL,
  description LONGTEXT NULL,
  qty DECIMAL(21,9) NOT NULL DEFAULT 0, rate DECIMAL(21,9) NOT NULL DEFAULT 0, amount DECIMAL(21,9) NOT NULL DEFAULT 0, net_amount DECIMAL(21,9) NOT NULL DEFAULT 0,
  KEY parent (parent)
);
CREATE TABLE `tabPurchase Invoice` (
  name VARCHAR(140) NOT NULL PRIMARY KEY, creation DATETIME(6) NULL, modified DATETIME(6) NULL, modified_by VARCHAR(140) NULL, owner VARCHAR(140) NULL, docstatus TINYINT NOT NULL DEFAULT 0, idx INT NOT NULL DEFAULT 0,
  title VARCHAR(140) NULL, supplier VARCHAR(140) NULL, supplier_name VARCHAR(140) NULL, company VARCHAR(140) NULL, currency VARCHAR(140) NULL, status VARCHAR(140) NULL, bill_no VARCHAR(140) NULL,
  posting_date DATE NULL, due_date DATE NULL, bill_date DATE NULL,
  is_return TINYINT NOT NULL DEFAULT 0, is_paid TINYINT NOT NULL DEFAULT 0,
  tax_id VARCHAR(140) NULL COMMENT 'secret',
  net_total DECIMAL(21,9) NOT NULL DEFAULT 0, grand_total DECIMAL(21,9) NOT NULL DEFAULT 0, rounded_total DECIMAL(21,9) NOT NULL DEFAULT 0, outstanding_amount DECIMAL(21,9) NOT NULL DEFAULT 0,
  KEY modified (modified)
);
CREATE TABLE tabQuotation (
  name VARCHAR(140) NOT NULL PRIMARY KEY, creation DATETIME(6) NULL, modified DATETIME(6) NULL, modified_by VARCHAR(140) NULL, owner VARCHAR(140) NULL, docstatus TINYINT NOT NULL DEFAULT 0, idx INT NOT NULL DEFAULT 0,
  quotation_to VARCHAR(140) NULL, party_name VARCHAR(140) NULL, customer_name VARCHAR(140) NULL, company VARCHAR(140) NULL, currency VARCHAR(140) NULL, status VARCHAR(140) NULL,
  transaction_date DATE NULL, valid_till DATE NULL,
  net_total DECIMAL(21,9) NOT NULL DEFAULT 0, grand_total DECIMAL(21,9) NOT NULL DEFAULT 0, rounded_total DECIMAL(21,9) NOT NULL DEFAULT 0,
  KEY modified (modified)
);
CREATE TABLE `tabPayment Entry` (
  name VARCHAR(140) NOT NULL PRIMARY KEY, creation DATETIME(6) NULL, modified DATETIME(6) NULL, modified_by VARCHAR(140) NULL, owner VARCHAR(140) NULL, docstatus TINYINT NOT NULL DEFAULT 0, idx INT NOT NULL DEFAULT 0,
  payment_type VARCHAR(140) NULL, party_type VARCHAR(140) NULL, party VARCHAR(140) NULL, party_name VARCHAR(140) NULL, company VARCHAR(140) NULL, status VARCHAR(140) NULL, mode_of_payment VARCHAR(140) NULL,
  posting_date DATE NULL,
  paid_amount DECIMAL(21,9) NOT NULL DEFAULT 0, received_amount DECIMAL(21,9) NOT NULL DEFAULT 0,
  reference_no VARCHAR(140) NULL COMMENT 'secret',
  reference_date DATE NULL,
  remarks TEXT NULL COMMENT 'secret',
  KEY modified (modified)
);
CREATE TABLE `tabEvent Host` (
  name VARCHAR(140) NOT NULL PRIMARY KEY, creation DATETIME(6) NULL, modified DATETIME(6) NULL, modified_by VARCHAR(140) NULL, owner VARCHAR(140) NULL, docstatus TINYINT NOT NULL DEFAULT 0, idx INT NOT NULL DEFAULT 0,
  by_line VARCHAR(140) NULL, country VARCHAR(140) NULL,
  about LONGTEXT NULL,
  address TEXT NULL COMMENT 'secret',
  logo TEXT NULL,
  KEY modified (modified)
);
CREATE TABLE `tabBuzz Event` (
  name BIGINT NOT NULL PRIMARY KEY, creation DATETIME(6) NULL, modified DATETIME(6) NULL, modified_by VARCHAR(140) NULL, owner VARCHAR(140) NULL, docstatus TINYINT NOT NULL DEFAULT 0, idx INT NOT NULL DEFAULT 0,
  title VARCHAR(140) NULL, category VARCHAR(140) NULL, medium VARCHAR(140) NULL, host VARCHAR(140) NULL, venue VARCHAR(140) NULL, time_zone VARCHAR(140) NULL, guest_verification_method VARCHAR(140) NULL, tax_label VARCHAR(140) NULL,
  start_date DATE NULL, start_time TIME(6) NULL, end_date DATE NULL, end_time TIME(6) NULL,
  short_description TEXT NULL, about LONGTEXT NULL, banner_image TEXT NULL,
  free_event TINYINT NOT NULL DEFAULT 0, is_published TINYINT NOT NULL DEFAULT 0, allow_guest_booking TINYINT NOT NULL DEFAULT 0, external_registration_page TINYINT NOT NULL DEFAULT 0, apply_tax TINYINT NOT NULL DEFAULT 0, tax_inclusive TINYINT NOT NULL DEFAULT 0,
  route VARCHAR(140) NULL, registration_url VARCHAR(140) NULL, registrations_close_at DATETIME(6) NULL,
  tax_percentage DECIMAL(21,9) NOT NULL DEFAULT 0,
  UNIQUE KEY route (route),
  KEY modified (modified)
);
CREATE TABLE `tabEvent Ticket Type` (
  name BIGINT NOT NULL PRIMARY KEY, creation DATETIME(6) NULL, modified DATETIME(6) NULL, modified_by VARCHAR(140) NULL, owner VARCHAR(140) NULL, docstatus TINYINT NOT NULL DEFAULT 0, idx INT NOT NULL DEFAULT 0,
  title VARCHAR(140) NULL, event VARCHAR(140) NULL,
  is_published TINYINT NOT NULL DEFAULT 0,
  auto_unpublish_after DATE NULL, max_tickets_available INT NOT NULL DEFAULT 0,
  KEY modified (modified)
);
CREATE TABLE `tabEvent Booking` (
  name VARCHAR(140) NOT NULL PRIMARY KEY, creation DATETIME(6) NULL, modified DATETIME(6) NULL, modified_by VARCHAR(140) NULL, owner VARCHAR(140) NULL, docstatus TINYINT NOT NULL DEFAULT 0, idx INT NOT NULL DEFAULT 0,
  event VARCHAR(140) NULL, user VARCHAR(140) NULL, naming_series VARCHAR(140) NULL, payment_status VARCHAR(140) NULL, status VARCHAR(140) NULL, payment_method VARCHAR(140) NULL, offline_payment_method VARCHAR(140) NULL, tax_label VARCHAR(140) NULL, currency VARCHAR(140) NULL, coupon_code VARCHAR(140) NULL, refund_status VARCHAR(140) NULL, amended_from VARCHAR(140) NULL,
  net_amount DECIMAL(21,9) NOT NULL DEFAULT 0, tax_percentage DECIMAL(21,9) NOT NULL DEFAULT 0, tax_amount DECIMAL(21,9) NOT NULL DEFAULT 0, total_amount DECIMAL(21,9) NOT NULL DEFAULT 0, discount_amount DECIMAL(21,9) NOT NULL DEFAULT 0, refunded_amount DECIMAL(21,9) NOT NULL DEFAULT 0,
  invoice_requested TINYINT NOT NULL DEFAULT 0,
  tax_id VARCHAR(140) NULL COMMENT 'secret',
  billing_address TEXT NULL COMMENT 'secret',
  KEY amended_from (amended_from),
  KEY modified (modified)
);
CREATE TABLE `tabEvent Booking Attendee` (
  name VARCHAR(140) NOT NULL PRIMARY KEY, creation DATETIME(6) NULL, modified DATETIME(6) NULL, modified_by VARCHAR(140) NULL, owner VARCHAR(140) NULL, docstatus TINYINT NOT NULL DEFAULT 0, idx INT NOT NULL DEFAULT 0,
  parent VARCHAR(140) NULL, parentfield VARCHAR(140) NULL, parenttype VARCHAR(140) NULL,
  first_name VARCHAR(140) NULL, last_name VARCHAR(140) NULL, full_name VARCHAR(140) NULL, ticket_type VARCHAR(140) NULL, email VARCHAR(140) NULL, currency VARCHAR(140) NULL, add_ons VARCHAR(140) NULL,
  custom_fields JSON NULL COMMENT 'secret',
  amount DECIMAL(21,9) NOT NULL DEFAULT 0, add_on_total DECIMAL(21,9) NOT NULL DEFAULT 0,
  number_of_add_ons INT NOT NULL DEFAULT 0,
  KEY parent (parent)
);
CREATE TABLE `tabEvent Ticket` (
  name VARCHAR(140) NOT NULL PRIMARY KEY, creation DATETIME(6) NULL, modified DATETIME(6) NULL, modified_by VARCHAR(140) NULL, owner VARCHAR(140) NULL, docstatus TINYINT NOT NULL DEFAULT 0, idx INT NOT NULL DEFAULT 0,
  first_name VARCHAR(140) NULL, last_name VARCHAR(140) NULL, attendee_name VARCHAR(140) NULL, event VARCHAR(140) NULL, booking VARCHAR(140) NULL, coupon_used VARCHAR(140) NULL, attendee_email VARCHAR(140) NULL, ticket_type VARCHAR(140) NULL, amended_from VARCHAR(140) NULL,
  qr_code TEXT NULL COMMENT 'secret',
  KEY amended_from (amended_from),
  KEY modified (modified)
);
CREATE TABLE `tabAdditional Field` (
  name VARCHAR(140) NOT NULL PRIMARY KEY, creation DATETIME(6) NULL, modified DATETIME(6) NULL, modified_by VARCHAR(140) NULL, owner VARCHAR(140) NULL, docstatus TINYINT NOT NULL DEFAULT 0, idx INT NOT NULL DEFAULT 0,
  parent VARCHAR(140) NULL, parentfield VARCHAR(140) NULL, parenttype VARCHAR(140) NULL,
  label VARCHAR(140) NULL, fieldname VARCHAR(140) NULL, type VARCHAR(140) NULL,
  value LONGTEXT NULL COMMENT 'secret',
  KEY parent (parent)
);
CREATE TABLE `tabEvent Check In` (
  name VARCHAR(140) NOT NULL PRIMARY KEY, creation DATETIME(6) NULL, modified DATETIME(6) NULL, modified_by VARCHAR(140) NULL, owner VARCHAR(140) NULL, docstatus TINYINT NOT NULL DEFAULT 0, idx INT NOT NULL DEFAULT 0,
  event VARCHAR(140) NULL, ticket VARCHAR(140) NULL, track VARCHAR(140) NULL, amended_from VARCHAR(140) NULL,
  date DATE NULL,
  KEY modified (modified)
);
CREATE TABLE `tabEvent Payment` (
  name BIGINT NOT NULL PRIMARY KEY, creation DATETIME(6) NULL, modified DATETIME(6) NULL, modified_by VARCHAR(140) NULL, owner VARCHAR(140) NULL, docstatus TINYINT NOT NULL DEFAULT 0, idx INT NOT NULL DEFAULT 0,
  user VARCHAR(140) NULL, reference_doctype VARCHAR(140) NULL, reference_docname VARCHAR(140) NULL, currency VARCHAR(140) NULL, payment_gateway VARCHAR(140) NULL, refund_status VARCHAR(140) NULL,
  amount DECIMAL(21,9) NOT NULL DEFAULT 0, refunded_amount DECIMAL(21,9) NOT NULL DEFAULT 0,
  payment_received TINYINT NOT NULL DEFAULT 0,
  payment_id VARCHAR(140) NULL COMMENT 'secret',
  order_id VARCHAR(140) NULL COMMENT 'secret',
  refund_id VARCHAR(140) NULL COMMENT 'secret',
  KEY modified (modified)
);
INSERT INTO tabUser (name, creation, modified, enabled, email, first_name, full_name, user_type) VALUES ('Administrator', '2026-01-01', '2026-01-01', 1, 'root@example.com', 'Root', 'Root', 'System User'), ('ada@example.com', '2026-01-02', '2026-01-02', 1, 'ada@example.com', 'Ada', 'Ada Ames', 'Website User');
INSERT INTO __Auth VALUES ('User', 'Administrator', 'password', 'x', 0), ('Razorpay Settings', 'Razorpay Settings', 'api_secret', 'x', 1);
INSERT INTO tabSingles VALUES ('System Settings', 'time_zone', 'Asia/Kolkata'), ('System Settings', 'country', 'India'), ('Global Defaults', 'default_currency', 'INR'), ('Razorpay Settings', 'api_key', 'x');
INSERT INTO tabCurrency (name, creation, modified, currency_name, symbol, enabled, fraction_units) VALUES ('INR', '2026-01-01', '2026-01-01', 'INR', '₹', 1, 100), ('EUR', '2026-01-01', '2026-01-01', 'EUR', '€', 1, 100), ('KWD', '2026-01-01', '2026-01-01', 'KWD', 'KD', 0, 1000);
INSERT INTO tabCompany (name, creation, modified, company_name, abbr, default_currency, country) VALUES ('North Events', '2026-01-01', '2026-01-01', 'North Events', 'NE', 'INR', 'India');
INSERT INTO tabCustomer (name, creation, modified, customer_name, customer_type, email_id) VALUES ('Ames', '2026-01-02', '2026-01-02', 'Ames', 'Company', 'ada@example.com'), ('Brun', '2026-01-02', '2026-01-03', 'Brun', 'Individual', 'bo@example.com');
INSERT INTO `tabEvent Host` (name, creation, modified, country) VALUES ('North', '2026-01-01', '2026-01-01', 'India'), ('South', '2026-01-01', '2026-01-01', 'India');
INSERT INTO `tabBuzz Event` (name, creation, modified, title, category, medium, host, start_date, start_time, end_time, is_published, route) VALUES (1, '2026-01-02', '2026-01-05', 'Jazz', 'Concert', 'In Person', 'North', '2026-06-01', '20:00', '23:00', 1, 'jazz'), (2, '2026-01-02', '2026-01-02', 'Talks', 'Conference', 'Online', 'South', '2026-07-01', '09:00', '17:00', 1, 'talks');
INSERT INTO `tabEvent Ticket Type` (name, creation, modified, title, event, is_published) VALUES (1, '2026-01-03', '2026-01-03', 'Normal', '1', 1), (2, '2026-01-03', '2026-01-03', 'Early Bird', '2', 1);
INSERT INTO `tabEvent Booking` (name, creation, modified, docstatus, event, user, payment_status, status, currency, net_amount, total_amount)
  WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 30)
  SELECT CONCAT('B', LPAD(i, 3, '0')), '2026-02-01' + INTERVAL i HOUR, '2026-02-02' + INTERVAL i HOUR, IF(i % 9 = 0, 2, 1), 1 + i % 2, 'ada@example.com', ELT(1 + i % 4, 'Paid', 'Paid', 'Unpaid', 'Verification Pending'), ELT(1 + i % 4, 'Confirmed', 'Confirmed', 'Approval Pending', 'Rejected'), 'INR', 500, 590 FROM n;
INSERT INTO `tabEvent Booking Attendee` (name, creation, modified, docstatus, idx, parent, parentfield, parenttype, first_name, full_name, ticket_type, email, currency, amount) SELECT CONCAT('a', name), creation, modified, docstatus, 1, name, 'attendees', 'Event Booking', 'Kim', CONCAT('Kim ', name), event, CONCAT(LOWER(name), '@example.com'), 'INR', 500 FROM `tabEvent Booking`;
INSERT INTO `tabEvent Ticket` (name, creation, modified, docstatus, first_name, attendee_name, event, booking, attendee_email, ticket_type, qr_code) SELECT CONCAT('t', LEFT(SHA2(name, 256), 9)), creation, modified, docstatus, 'Kim', CONCAT('Kim ', name), event, name, CONCAT(LOWER(name), '@example.com'), event, '/files/x.png' FROM `tabEvent Booking` WHERE status = 'Confirmed';
INSERT INTO `tabEvent Check In` (name, creation, modified, docstatus, event, ticket, date) SELECT CONCAT('c', name), '2026-06-01 19:40:00', '2026-06-01 19:40:00', IF(booking = 'B004', 2, 1), event, name, '2026-06-01' FROM `tabEvent Ticket` WHERE event = '1';
INSERT INTO `tabEvent Payment` (name, creation, modified, user, reference_doctype, reference_docname, currency, payment_gateway, amount, payment_received, payment_id) SELECT CAST(SUBSTRING(name, 2) AS UNSIGNED), creation, modified, user, 'Event Booking', name, 'INR', 'Razorpay', 590, payment_status = 'Paid', 'x' FROM `tabEvent Booking`;
INSERT INTO `tabSales Invoice` (name, creation, modified, docstatus, title, customer, customer_name, company, currency, status, posting_date, due_date, is_return, return_against, conversion_rate, net_total, total, total_taxes_and_charges, grand_total, rounded_total, outstanding_amount)
  WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 36)
  SELECT CONCAT('ACC-SINV-2026-', LPAD(i, 5, '0')), '2026-02-03' + INTERVAL i HOUR, '2026-02-04' + INTERVAL i HOUR, ELT(1 + i % 6, 1, 1, 1, 0, 2, 1), IF(i % 2 = 0, 'Ames', 'Brun'), IF(i % 2 = 0, 'Ames', 'Brun'), IF(i % 2 = 0, 'Ames', 'Brun'), 'North Events', IF(i % 4 = 0, 'EUR', 'INR'),
    ELT(1 + i % 6, 'Paid', 'Unpaid', 'Overdue', 'Draft', 'Cancelled', 'Return'), '2026-02-03', '2026-03-05', i % 6 = 5, IF(i % 6 = 5, CONCAT('ACC-SINV-2026-', LPAD(i - 5, 5, '0')), NULL), 1, 100, 100, 18, IF(i % 6 = 5, -118, 118), IF(i % 6 = 5, -118, 118), IF(i % 6 IN (1, 2), 118, 0) FROM n;
INSERT INTO `tabSales Invoice Item` (name, creation, modified, docstatus, idx, parent, parentfield, parenttype, item_code, qty, rate, amount) SELECT CONCAT('i', name), creation, modified, docstatus, 1, name, 'items', 'Sales Invoice', 'TICKET', 1, 100, 100 FROM `tabSales Invoice`;
INSERT INTO `tabPurchase Invoice` (name, creation, modified, docstatus, supplier, company, currency, status, posting_date, due_date, grand_total) VALUES ('ACC-PINV-2026-00001', '2026-02-01', '2026-02-01', 1, 'Hall', 'North Events', 'INR', 'Paid', '2026-02-01', '2026-03-01', 5000), ('ACC-PINV-2026-00002', '2026-02-02', '2026-02-03', 1, 'Hall', 'North Events', 'INR', 'Unpaid', '2026-02-02', '2026-03-02', 900);
INSERT INTO tabQuotation (name, creation, modified, docstatus, quotation_to, party_name, company, currency, status, transaction_date, grand_total) VALUES ('SAL-QTN-2026-00001', '2026-01-20', '2026-01-21', 1, 'Customer', 'Ames', 'North Events', 'INR', 'Open', '2026-01-20', 118);
INSERT INTO `tabPayment Entry` (name, creation, modified, docstatus, payment_type, party_type, party, company, status, posting_date, paid_amount, reference_no) VALUES ('ACC-PAY-2026-00001', '2026-02-10', '2026-02-10', 1, 'Receive', 'Customer', 'Ames', 'North Events', 'Submitted', '2026-02-10', 118, 'x');
