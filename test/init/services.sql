-- Appointments with services (an open-source scheduler).
CREATE TABLE ea_roles (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, name VARCHAR(256) NULL, slug VARCHAR(256) NULL, is_admin TINYINT(1) NULL, appointments INT NULL, customers INT NULL, services INT NULL, users INT NULL);
CREATE TABLE ea_users (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, create_datetime DATETIME NULL, update_datetime DATETIME NULL,
  first_name VARCHAR(256) NULL, last_name VARCHAR(512) NULL, email VARCHAR(512) NULL,
  mobile_number VARCHAR(128) NULL COMMENT 'secret', phone_number VARCHAR(128) NULL COMMENT 'secret',
  address VARCHAR(256) NULL COMMENT 'secret', city VARCHAR(256) NULL COMMENT 'secret', state VARCHAR(128) NULL, zip_code VARCHAR(64) NULL COMMENT 'secret',
  notes TEXT NULL COMMENT 'secret', timezone VARCHAR(256) NULL DEFAULT 'UTC', language VARCHAR(256) NULL, is_private TINYINT(1) NULL DEFAULT 0, ldap_dn TEXT NULL COMMENT 'secret',
  custom_field_1 TEXT NULL COMMENT 'secret', id_roles INT NOT NULL, FOREIGN KEY (id_roles) REFERENCES ea_roles (id));
CREATE TABLE ea_user_settings (id_users INT NOT NULL PRIMARY KEY, username VARCHAR(256) NULL, password VARCHAR(512) NULL COMMENT 'secret', salt VARCHAR(512) NULL COMMENT 'secret', google_token TEXT NULL COMMENT 'secret', caldav_password VARCHAR(512) NULL COMMENT 'secret', FOREIGN KEY (id_users) REFERENCES ea_users (id));
CREATE TABLE ea_service_categories (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, create_datetime DATETIME NULL, update_datetime DATETIME NULL, name VARCHAR(256) NULL, description TEXT NULL);
CREATE TABLE ea_services (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, create_datetime DATETIME NULL, update_datetime DATETIME NULL, name VARCHAR(256) NULL, duration INT NULL, price DECIMAL(10,2) NULL, currency VARCHAR(32) NULL, description TEXT NULL, color VARCHAR(256) NULL, location TEXT NULL, availabilities_type VARCHAR(32) NULL, attendants_number INT NULL DEFAULT 1, is_private TINYINT(1) NULL, id_service_categories INT NULL, FOREIGN KEY (id_service_categories) REFERENCES ea_service_categories (id));
CREATE TABLE ea_services_providers (id_users INT NOT NULL, id_services INT NOT NULL, PRIMARY KEY (id_users, id_services), FOREIGN KEY (id_users) REFERENCES ea_users (id), FOREIGN KEY (id_services) REFERENCES ea_services (id));
CREATE TABLE ea_appointments (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, create_datetime DATETIME NULL, update_datetime DATETIME NULL, book_datetime DATETIME NULL, start_datetime DATETIME NULL, end_datetime DATETIME NULL,
  location TEXT NULL, notes TEXT NULL COMMENT 'secret', hash TEXT NULL COMMENT 'secret', color VARCHAR(256) NULL, status VARCHAR(512) NULL, is_unavailability TINYINT(1) NOT NULL DEFAULT 0,
  id_users_provider INT NULL, id_users_customer INT NULL, id_services INT NULL, id_google_calendar TEXT NULL, id_caldav_calendar TEXT NULL,
  FOREIGN KEY (id_users_provider) REFERENCES ea_users (id), FOREIGN KEY (id_users_customer) REFERENCES ea_users (id), FOREIGN KEY (id_services) REFERENCES ea_services (id));
CREATE TABLE ea_settings (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, name VARCHAR(512) NULL, value LONGTEXT NULL COMMENT 'secret');
CREATE TABLE ea_webhooks (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, name VARCHAR(256) NULL, url TEXT NULL, actions TEXT NULL, secret_token VARCHAR(512) NULL COMMENT 'secret', is_active TINYINT(1) NULL);
CREATE TABLE ea_consents (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, create_datetime DATETIME NULL, first_name VARCHAR(256) NULL, last_name VARCHAR(256) NULL, email VARCHAR(512) NULL, ip VARCHAR(256) NULL COMMENT 'secret', type VARCHAR(256) NULL);
INSERT INTO ea_roles (id, name, slug) VALUES (1, 'Administrator', 'admin'), (2, 'Provider', 'provider'), (3, 'Customer', 'customer');
INSERT INTO ea_users (id, create_datetime, update_datetime, first_name, last_name, email, id_roles) VALUES (1, '2026-01-01', '2026-01-01', 'Pia', 'Pohl', 'pia@example.com', 2), (2, '2026-01-01', '2026-01-01', 'Ada', 'Ames', 'ada@example.com', 3), (3, '2026-01-01', '2026-01-01', 'Bo', 'Brun', 'bo@example.com', 3);
INSERT INTO ea_user_settings (id_users, username, password, salt) VALUES (1, 'pia', 'x', 'x');
INSERT INTO ea_services (id, create_datetime, update_datetime, name, duration, price, currency) VALUES (1, '2026-01-01', '2026-01-01', 'Cut', 30, 20, 'EUR'), (2, '2026-01-01', '2026-01-01', 'Wash', 30, 10, 'EUR');
INSERT INTO ea_services_providers VALUES (1, 1), (1, 2);
INSERT INTO ea_appointments (create_datetime, update_datetime, book_datetime, start_datetime, end_datetime, hash, status, is_unavailability, id_users_provider, id_users_customer, id_services) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 40) SELECT '2026-01-02' + INTERVAL i HOUR, '2026-01-03' + INTERVAL i HOUR, '2026-01-02' + INTERVAL i HOUR, '2026-05-01' + INTERVAL i HOUR, '2026-05-01' + INTERVAL i + 1 HOUR, CONCAT('h', i), ELT(1 + i % 3, 'Booked', 'Confirmed', 'Cancelled'), i % 10 = 0, 1, IF(i % 10 = 0, NULL, 2 + i % 2), IF(i % 10 = 0, NULL, 1 + i % 2) FROM n;
INSERT INTO ea_settings (name, value) VALUES ('company_name', 'North'), ('api_token', 'x');
