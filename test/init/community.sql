-- A community conference with Rails' names: a registration is a person at a conference, event_registrations are for single talks.
CREATE TABLE organizations (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(255) NOT NULL,
  description TEXT NULL
);
CREATE TABLE conferences (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  guid VARCHAR(255) NOT NULL,
  organization_id INT NULL,
  title VARCHAR(255) NOT NULL,
  short_title VARCHAR(255) NOT NULL,
  timezone VARCHAR(255) NOT NULL,
  start_date DATE NULL,
  end_date DATE NULL,
  registration_limit INT NULL,
  created_at DATETIME NULL,
  updated_at DATETIME NULL
);
CREATE TABLE users (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  email VARCHAR(255) NOT NULL,
  encrypted_password VARCHAR(255) NOT NULL COMMENT 'secret',
  reset_password_token VARCHAR(255) NULL COMMENT 'secret',
  current_sign_in_ip VARCHAR(255) NULL COMMENT 'secret',
  confirmation_token VARCHAR(255) NULL COMMENT 'secret',
  name VARCHAR(255) NULL,
  nickname VARCHAR(255) NULL,
  affiliation VARCHAR(255) NULL,
  mobile VARCHAR(255) NULL COMMENT 'secret',
  is_admin TINYINT(1) NULL,
  is_disabled TINYINT(1) NULL,
  created_at DATETIME NULL,
  updated_at DATETIME NULL
);
CREATE TABLE programs (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  conference_id INT NULL,
  rating INT NULL,
  created_at DATETIME NULL,
  updated_at DATETIME NULL
);
CREATE TABLE events (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  guid VARCHAR(255) NOT NULL,
  program_id INT NULL,
  title VARCHAR(255) NOT NULL,
  start_time DATETIME NULL,
  state VARCHAR(255) NOT NULL,
  require_registration TINYINT(1) NULL,
  max_attendees INT NULL,
  created_at DATETIME NULL,
  updated_at DATETIME NULL
);
CREATE TABLE registrations (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id INT NULL,
  conference_id INT NULL,
  arrival DATETIME NULL,
  departure DATETIME NULL,
  other_special_needs TEXT NULL COMMENT 'secret',
  attended TINYINT(1) NULL DEFAULT 0,
  volunteer TINYINT(1) NULL,
  week INT NULL,
  accepted_code_of_conduct TINYINT(1) NULL,
  created_at DATETIME NULL,
  updated_at DATETIME NULL
);
CREATE TABLE events_registrations (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  registration_id INT NULL,
  event_id INT NULL,
  attended TINYINT(1) NOT NULL DEFAULT 0,
  created_at DATETIME NULL
);
CREATE TABLE tickets (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  conference_id INT NULL,
  title VARCHAR(255) NOT NULL,
  price_cents INT NOT NULL,
  price_currency VARCHAR(255) NOT NULL,
  registration_ticket TINYINT(1) NULL
);
CREATE TABLE ticket_purchases (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  ticket_id INT NULL,
  conference_id INT NULL,
  user_id INT NULL,
  payment_id INT NULL,
  paid TINYINT(1) NULL,
  quantity INT NULL,
  week INT NULL,
  amount_paid FLOAT NULL,
  created_at DATETIME NULL
);
CREATE TABLE payments (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  last4 VARCHAR(255) NULL COMMENT 'secret',
  amount INT NULL,
  error_message VARCHAR(255) NULL,
  authorization_code VARCHAR(255) NULL COMMENT 'secret',
  status INT NOT NULL,
  user_id INT NOT NULL,
  conference_id INT NOT NULL,
  created_at DATETIME NOT NULL,
  updated_at DATETIME NOT NULL
);
CREATE TABLE invoices (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  no INT NOT NULL,
  date DATE NULL,
  conference_id INT NOT NULL,
  user_id INT NOT NULL,
  recipient_details TEXT NULL,
  recipient_vat VARCHAR(255) NULL COMMENT 'secret',
  description TEXT NULL,
  total_quantity DECIMAL(10,2) NULL,
  total_amount DECIMAL(10,2) NULL,
  currency VARCHAR(255) NULL,
  paid TINYINT(1) NULL DEFAULT 0,
  kind INT NULL,
  created_at DATETIME NOT NULL,
  updated_at DATETIME NOT NULL
);
CREATE TABLE ahoy_visits (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  visitor_token VARCHAR(255) NULL COMMENT 'secret',
  ip VARCHAR(255) NULL COMMENT 'secret',
  user_agent TEXT NULL COMMENT 'secret',
  user_id INT NULL,
  started_at DATETIME NULL
);
INSERT INTO organizations VALUES (1, 'North', NULL), (2, 'South', NULL);
INSERT INTO conferences (id, guid, organization_id, title, short_title, timezone, start_date) VALUES (1, 'g', 1, 'Conf', 'c', 'UTC', '2026-05-01'), (2, 'h', 2, 'Days', 'd', 'UTC', '2026-06-01');
INSERT INTO users (id, email, encrypted_password, name) VALUES (1, 'ada@example.com', 'x', 'Ada Ames'), (2, 'bo@example.com', 'y', 'Bo Brun');
INSERT INTO programs (id, conference_id) VALUES (1, 1), (2, 2);
INSERT INTO events (id, guid, program_id, title, state) VALUES (1, 'g', 1, 'Talk', 'confirmed');
INSERT INTO registrations (user_id, conference_id, attended, created_at, updated_at) VALUES (1, 1, 0, '2026-01-01', '2026-01-01'), (2, 2, 1, '2026-01-02', '2026-01-02');
INSERT INTO events_registrations (registration_id, event_id) VALUES (1, 1);
INSERT INTO payments (amount, status, user_id, conference_id, created_at, updated_at) VALUES (1000, 1, 1, 1, '2026-01-01', '2026-01-01');
INSERT INTO invoices (no, date, conference_id, user_id, total_amount, currency, paid, created_at, updated_at) VALUES (1, '2026-01-01', 1, 1, 10, 'EUR', 1, '2026-01-01', '2026-01-01'), (1, '2026-01-02', 2, 2, 20, 'USD', 0, '2026-01-02', '2026-01-02');
