-- An association's site with Django's names and its own abbreviations: create_dt and update_dt, a registrant in a registration.
CREATE TABLE auth_user (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  password VARCHAR(128) NOT NULL COMMENT 'secret',
  username VARCHAR(150) NOT NULL UNIQUE,
  first_name VARCHAR(150) NOT NULL,
  last_name VARCHAR(150) NOT NULL,
  email VARCHAR(254) NOT NULL,
  date_joined DATETIME(6) NOT NULL
);
CREATE TABLE entities_entity (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  guid VARCHAR(40) NOT NULL,
  entity_name VARCHAR(200) NOT NULL,
  phone VARCHAR(50) NOT NULL COMMENT 'secret'
);
CREATE TABLE events_event (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  guid VARCHAR(40) NOT NULL,
  entity_id INT NULL,
  title VARCHAR(150) NOT NULL,
  description LONGTEXT NOT NULL,
  start_dt DATETIME(6) NOT NULL,
  end_dt DATETIME(6) NOT NULL,
  timezone VARCHAR(63) NOT NULL,
  password VARCHAR(50) NOT NULL COMMENT 'secret',
  create_dt DATETIME(6) NOT NULL,
  update_dt DATETIME(6) NOT NULL,
  creator_username VARCHAR(150) NOT NULL,
  status TINYINT(1) NOT NULL,
  status_detail VARCHAR(50) NOT NULL,
  FOREIGN KEY (entity_id) REFERENCES entities_entity (id)
);
CREATE TABLE invoices_invoice (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  guid VARCHAR(50) NOT NULL,
  entity_id INT NULL,
  object_type_id INT NULL,
  object_id INT NULL,
  title VARCHAR(200) NULL,
  creator_id INT NULL,
  create_dt DATETIME(6) NOT NULL,
  update_dt DATETIME(6) NOT NULL,
  bill_to VARCHAR(120) NOT NULL,
  bill_to_first_name VARCHAR(100) NULL,
  bill_to_phone VARCHAR(50) NULL COMMENT 'secret',
  bill_to_address VARCHAR(250) NULL COMMENT 'secret',
  bill_to_email VARCHAR(100) NULL COMMENT 'secret',
  ship_to_zip_code VARCHAR(50) NULL COMMENT 'secret',
  due_date DATETIME(6) NOT NULL,
  ship_date DATETIME(6) NOT NULL,
  tender_date DATETIME(6) NULL,
  receipt TINYINT(1) NOT NULL,
  gift TINYINT(1) NOT NULL,
  estimate TINYINT(1) NOT NULL,
  admin_notes LONGTEXT NULL COMMENT 'secret',
  shipping DECIMAL(6,2) NOT NULL,
  subtotal DECIMAL(15,2) NOT NULL,
  total DECIMAL(15,2) NOT NULL,
  payments_credits DECIMAL(15,2) NOT NULL,
  balance DECIMAL(15,2) NOT NULL,
  status_detail VARCHAR(50) NOT NULL,
  status TINYINT(1) NOT NULL,
  FOREIGN KEY (entity_id) REFERENCES entities_entity (id)
);
CREATE TABLE events_registration (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  guid VARCHAR(40) NOT NULL COMMENT 'secret',
  event_id INT NOT NULL,
  invoice_id INT NULL,
  amount_paid DECIMAL(21,2) NOT NULL,
  is_table TINYINT(1) NOT NULL,
  canceled TINYINT(1) NOT NULL,
  create_dt DATETIME(6) NOT NULL,
  update_dt DATETIME(6) NOT NULL,
  status TINYINT(1) NOT NULL,
  status_detail VARCHAR(50) NOT NULL,
  FOREIGN KEY (event_id) REFERENCES events_event (id),
  FOREIGN KEY (invoice_id) REFERENCES invoices_invoice (id)
);
CREATE TABLE events_registrant (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  registration_id INT NOT NULL,
  user_id INT NULL,
  amount DECIMAL(21,2) NOT NULL,
  salutation VARCHAR(15) NOT NULL,
  first_name VARCHAR(100) NOT NULL,
  last_name VARCHAR(100) NOT NULL,
  mail_name VARCHAR(100) NOT NULL,
  address VARCHAR(200) NOT NULL COMMENT 'secret',
  zip VARCHAR(50) NOT NULL COMMENT 'secret',
  phone VARCHAR(50) NOT NULL COMMENT 'secret',
  email VARCHAR(100) NOT NULL,
  company_name VARCHAR(100) NOT NULL COMMENT 'secret',
  meal_option VARCHAR(200) NOT NULL,
  comments LONGTEXT NOT NULL COMMENT 'secret',
  is_primary TINYINT(1) NOT NULL,
  cancel_dt DATETIME(6) NULL,
  memberid VARCHAR(50) NULL,
  checked_in TINYINT(1) NOT NULL,
  checked_in_dt DATETIME(6) NULL,
  checked_out TINYINT(1) NOT NULL,
  create_dt DATETIME(6) NOT NULL,
  update_dt DATETIME(6) NOT NULL,
  FOREIGN KEY (registration_id) REFERENCES events_registration (id),
  FOREIGN KEY (user_id) REFERENCES auth_user (id)
);
CREATE TABLE payments_payment (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  guid VARCHAR(50) NOT NULL,
  invoice_id INT NULL,
  trans_id VARCHAR(100) NOT NULL COMMENT 'secret',
  auth_code VARCHAR(10) NOT NULL COMMENT 'secret',
  card_num VARCHAR(20) NULL COMMENT 'secret',
  amount DECIMAL(15,2) NOT NULL,
  email VARCHAR(255) NOT NULL,
  status_detail VARCHAR(50) NOT NULL,
  create_dt DATETIME(6) NOT NULL
);
CREATE TABLE django_session (
  session_key VARCHAR(40) NOT NULL PRIMARY KEY COMMENT 'secret',
  session_data LONGTEXT NOT NULL COMMENT 'secret',
  expire_date DATETIME(6) NOT NULL
);
INSERT INTO entities_entity VALUES (1, 'g', 'North', ''), (2, 'h', 'South', '');
INSERT INTO auth_user VALUES (1, 'x', 'ada', 'Ada', 'Ames', 'ada@example.com', '2026-01-01');
INSERT INTO events_event VALUES (1, 'g', 1, 'Gala', '', '2026-05-01', '2026-05-02', 'UTC', '', '2026-01-01', '2026-01-01', 'ada', 1, 'active');
INSERT INTO invoices_invoice (id, guid, entity_id, title, create_dt, update_dt, bill_to, due_date, ship_date, receipt, gift, estimate, shipping, subtotal, total, payments_credits, balance, status_detail, status) VALUES
 (1, 'g', 1, 'Registration', '2026-01-01', '2026-01-01', 'Ada', '2026-02-01', '2026-01-01', 0, 0, 0, 0, 10, 10, 10, 0, 'tendered', 1),
 (2, 'h', 1, 'Registration', '2026-01-01', '2026-01-01', 'Bo', '2026-02-01', '2026-01-01', 0, 0, 1, 0, 10, 10, 0, 10, 'estimate', 1);
INSERT INTO events_registration VALUES (1, 'g', 1, 1, 10, 0, 0, '2026-01-01', '2026-01-01', 1, 'active');
INSERT INTO events_registrant (registration_id, amount, salutation, first_name, last_name, mail_name, address, zip, phone, email, company_name, meal_option, comments, is_primary, cancel_dt, checked_in, checked_out, create_dt, update_dt) VALUES
 (1, 10, '', 'Ada', 'Ames', 'Ada Ames', '', '', '', 'ada@example.com', '', '', '', 1, NULL, 0, 0, '2026-01-01', '2026-01-01'), (1, 10, '', 'Bo', 'Brun', 'Bo Brun', '', '', '', 'bo@example.com', '', '', '', 0, '2026-01-03', 0, 0, '2026-01-01', '2026-01-01');
