-- A company's own system for its training classes, with Rails' names: an attendee is a person in a class, a lead who has not decided, and what is
-- billed, all in one row: whether somebody came is a word in Thai, the number of an invoice is empty until there is one. One company, one currency.
CREATE TABLE active_storage_blobs (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  `key` VARCHAR(255) NOT NULL UNIQUE COMMENT 'secret',
  filename VARCHAR(255) NOT NULL,
  content_type VARCHAR(255) NULL,
  metadata TEXT NULL COMMENT 'secret',
  service_name VARCHAR(255) NOT NULL,
  byte_size BIGINT NOT NULL,
  checksum VARCHAR(255) NULL,
  created_at DATETIME(6) NOT NULL
);
CREATE TABLE active_storage_attachments (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(255) NOT NULL,
  record_type VARCHAR(255) NOT NULL,
  record_id BIGINT NOT NULL,
  blob_id BIGINT NOT NULL,
  created_at DATETIME(6) NOT NULL,
  UNIQUE KEY index_active_storage_attachments_uniqueness (record_type, record_id, name, blob_id),
  CONSTRAINT fk_rails_blob FOREIGN KEY (blob_id) REFERENCES active_storage_blobs (id)
);
CREATE TABLE active_storage_variant_records (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  blob_id BIGINT NOT NULL,
  variation_digest VARCHAR(255) NOT NULL,
  UNIQUE KEY index_active_storage_variant_records_uniqueness (blob_id, variation_digest),
  CONSTRAINT fk_rails_variant FOREIGN KEY (blob_id) REFERENCES active_storage_blobs (id)
);
CREATE TABLE admin_users (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  email VARCHAR(255) NOT NULL DEFAULT '',
  password_digest VARCHAR(255) NOT NULL COMMENT 'secret',
  created_at DATETIME(6) NOT NULL,
  updated_at DATETIME(6) NOT NULL,
  UNIQUE KEY index_admin_users_on_email (email)
);
CREATE TABLE customers (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(255) NOT NULL,
  email VARCHAR(255) NOT NULL,
  phone VARCHAR(255) NULL COMMENT 'secret',
  company VARCHAR(255) NULL,
  participant_type VARCHAR(255) NULL,
  billing_name VARCHAR(255) NULL,
  billing_address TEXT NULL COMMENT 'secret',
  tax_id VARCHAR(255) NULL COMMENT 'secret',
  created_at DATETIME(6) NOT NULL,
  updated_at DATETIME(6) NOT NULL,
  UNIQUE KEY index_customers_on_email (email),
  KEY index_customers_on_tax_id (tax_id)
);
CREATE TABLE training_classes (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  title VARCHAR(255) NOT NULL,
  description TEXT NULL,
  `date` DATE NOT NULL,
  end_date DATE NULL,
  start_time TIME NULL,
  end_time TIME NULL,
  location VARCHAR(255) NOT NULL,
  instructor VARCHAR(255) NULL,
  max_attendees INT NULL,
  cost DECIMAL(10,2) NULL DEFAULT 0.00,
  price DECIMAL(10,2) NULL DEFAULT 0.00,
  created_at DATETIME(6) NOT NULL,
  updated_at DATETIME(6) NOT NULL
);
CREATE TABLE attendees (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  training_class_id BIGINT NOT NULL,
  customer_id BIGINT NULL,
  name VARCHAR(255) NOT NULL,
  email VARCHAR(255) NOT NULL,
  phone VARCHAR(255) NULL COMMENT 'secret',
  company VARCHAR(255) NULL,
  participant_type VARCHAR(255) NULL DEFAULT 'Indi',
  source_channel VARCHAR(255) NULL,
  status VARCHAR(255) NULL DEFAULT 'attendee',
  attendance_status VARCHAR(255) NULL DEFAULT 'No-show',
  payment_status VARCHAR(255) NULL DEFAULT 'Pending',
  document_status VARCHAR(255) NULL,
  invoice_no VARCHAR(255) NULL,
  due_date DATE NULL,
  price DECIMAL(10,2) NULL DEFAULT 0.00,
  total_classes INT NULL DEFAULT 0,
  notes TEXT NULL COMMENT 'secret',
  created_at DATETIME(6) NOT NULL,
  updated_at DATETIME(6) NOT NULL,
  UNIQUE KEY index_attendees_on_email_and_training_class_id (email, training_class_id),
  KEY index_attendees_on_training_class_id (training_class_id),
  KEY index_attendees_on_customer_id (customer_id),
  CONSTRAINT fk_rails_attendee_class FOREIGN KEY (training_class_id) REFERENCES training_classes (id),
  CONSTRAINT fk_rails_attendee_customer FOREIGN KEY (customer_id) REFERENCES customers (id)
);
CREATE TABLE promotions (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(255) NOT NULL,
  description TEXT NULL,
  discount_type VARCHAR(255) NOT NULL,
  discount_value DECIMAL(10,2) NULL DEFAULT 0.00,
  base_price DECIMAL(10,2) NULL DEFAULT 0.00,
  active TINYINT(1) NULL DEFAULT 1,
  created_at DATETIME(6) NOT NULL,
  updated_at DATETIME(6) NOT NULL
);
CREATE TABLE attendee_promotions (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  attendee_id BIGINT NOT NULL,
  promotion_id BIGINT NOT NULL,
  created_at DATETIME(6) NOT NULL,
  updated_at DATETIME(6) NOT NULL,
  CONSTRAINT fk_rails_ap_attendee FOREIGN KEY (attendee_id) REFERENCES attendees (id),
  CONSTRAINT fk_rails_ap_promotion FOREIGN KEY (promotion_id) REFERENCES promotions (id)
);
CREATE TABLE class_expenses (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  training_class_id BIGINT NOT NULL,
  description VARCHAR(255) NOT NULL,
  category VARCHAR(255) NULL,
  amount DECIMAL(10,2) NOT NULL DEFAULT 0.00,
  created_at DATETIME(6) NOT NULL,
  updated_at DATETIME(6) NOT NULL,
  CONSTRAINT fk_rails_expense_class FOREIGN KEY (training_class_id) REFERENCES training_classes (id)
);
CREATE TABLE schema_migrations (
  version VARCHAR(255) NOT NULL PRIMARY KEY
);
CREATE TABLE ar_internal_metadata (
  `key` VARCHAR(255) NOT NULL PRIMARY KEY,
  value VARCHAR(255) NULL,
  created_at DATETIME(6) NOT NULL,
  updated_at DATETIME(6) NOT NULL
);
INSERT INTO admin_users (id, email, password_digest, created_at, updated_at) VALUES
  (1, 'office@academy.example.com', '$2a$12$ca978112ca1bbdcafac231b39a23dc4da786eff8', '2026-02-01 03:00:00', '2026-02-01 03:00:00');
INSERT INTO customers (id, name, email, phone, company, participant_type, billing_name, billing_address, tax_id, created_at, updated_at) VALUES
  (1, 'Mikael Fontaine', 'mikael.fontaine@example.com', '0800000000', 'Fontaine Co., Ltd.', 'Corp', 'Fontaine Co., Ltd.', '99/0 Sukhumvit Rd', '0105500000000', '2026-02-11 04:00:00', '2026-02-12 04:00:00'),
  (2, 'Sofia Meyer', 'sofia.meyer@example.org', '0807654321', NULL, 'Indi', NULL, NULL, NULL, '2026-02-17 04:00:00', '2026-02-19 04:00:00'),
  (3, 'Jonas Toivonen', 'jonas.toivonen@example.net', '0815308642', NULL, 'Indi', NULL, NULL, NULL, '2026-02-23 04:00:00', '2026-02-26 04:00:00'),
  (4, 'Marta Nieminen', 'marta.nieminen@example.com', '0822962963', 'Nieminen Co., Ltd.', 'Corp', 'Nieminen Co., Ltd.', '99/3 Sukhumvit Rd', '0105500000003', '2026-03-01 04:00:00', '2026-03-05 04:00:00'),
  (5, 'Pavel Alvarez', 'pavel.alvarez@example.org', '0830617284', NULL, 'Indi', NULL, NULL, NULL, '2026-03-07 04:00:00', '2026-03-12 04:00:00'),
  (6, 'Elena Ivanova', 'elena.ivanova@example.net', '0838271605', NULL, 'Indi', NULL, NULL, NULL, '2026-03-13 04:00:00', '2026-03-19 04:00:00'),
  (7, 'Tomas Horvat', 'tomas.horvat@example.com', '0845925926', 'Horvat Co., Ltd.', 'Corp', 'Horvat Co., Ltd.', '99/6 Sukhumvit Rd', '0105500000006', '2026-03-19 04:00:00', '2026-03-26 04:00:00'),
  (8, 'Greta Ortega', 'greta.ortega@example.org', '0853580247', NULL, 'Indi', NULL, NULL, NULL, '2026-03-25 04:00:00', '2026-04-02 04:00:00'),
  (9, 'Hugo Vasquez', 'hugo.vasquez@example.net', '0861234568', NULL, 'Indi', NULL, NULL, NULL, '2026-03-31 04:00:00', '2026-04-09 04:00:00'),
  (10, 'Nadia Lindqvist', 'nadia.lindqvist@example.com', '0868888889', 'Lindqvist Co., Ltd.', 'Corp', 'Lindqvist Co., Ltd.', '99/9 Sukhumvit Rd', '0105500000009', '2026-04-06 04:00:00', '2026-04-16 04:00:00'),
  (11, 'Viktor Kowalski', 'viktor.kowalski@example.org', '0876543210', NULL, 'Indi', NULL, NULL, NULL, '2026-04-12 04:00:00', '2026-04-23 04:00:00'),
  (12, 'Ines Becker', 'ines.becker@example.net', '0884197531', NULL, 'Indi', NULL, NULL, NULL, '2026-04-18 04:00:00', '2026-04-30 04:00:00'),
  (13, 'Oskar Jokinen', 'oskar.jokinen@example.com', '0891851852', 'Jokinen Co., Ltd.', 'Corp', 'Jokinen Co., Ltd.', '99/12 Sukhumvit Rd', '0105500000012', '2026-04-24 04:00:00', '2026-05-07 04:00:00'),
  (14, 'Petra Quist', 'petra.quist@example.org', '0899506173', NULL, 'Indi', NULL, NULL, NULL, '2026-04-30 04:00:00', '2026-05-14 04:00:00'),
  (15, 'Rafael Zimmer', 'rafael.zimmer@example.net', '0807160494', NULL, 'Indi', NULL, NULL, NULL, '2026-05-06 04:00:00', '2026-05-21 04:00:00'),
  (16, 'Selma Novak', 'selma.novak@example.com', '0814814815', 'Novak Co., Ltd.', 'Corp', 'Novak Co., Ltd.', '99/15 Sukhumvit Rd', '0105500000015', '2026-05-12 04:00:00', '2026-05-28 04:00:00'),
  (17, 'Tariq Janssen', 'tariq.janssen@example.org', '0822469136', NULL, 'Indi', NULL, NULL, NULL, '2026-05-18 04:00:00', '2026-06-04 04:00:00'),
  (18, 'Ulla Eriksen', 'ulla.eriksen@example.net', '0830123457', NULL, 'Indi', NULL, NULL, NULL, '2026-05-24 04:00:00', '2026-06-11 04:00:00'),
  (19, 'Wout Laurent', 'wout.laurent@example.com', '0837777778', 'Laurent Co., Ltd.', 'Corp', 'Laurent Co., Ltd.', '99/18 Sukhumvit Rd', '0105500000018', '2026-05-30 04:00:00', '2026-06-18 04:00:00'),
  (20, 'Yara Sato', 'yara.sato@example.org', '0845432099', NULL, 'Indi', NULL, NULL, NULL, '2026-06-05 04:00:00', '2026-06-25 04:00:00');
INSERT INTO training_classes (id, title, description, date, end_date, start_time, end_time, location, instructor, max_attendees, cost, price, created_at, updated_at) VALUES
  (1, 'Scrum Foundations', NULL, '2026-03-14', '2026-03-15', '09:00:00', '17:00:00', 'Bangkok', 'Kru Nok', 20, '2966.00', '8900.00', '2026-02-11 05:00:00', '2026-02-13 05:00:00'),
  (2, 'Product Discovery', NULL, '2026-04-25', NULL, '09:00:00', '17:00:00', 'Online', 'Kru Nok', 20, '2166.00', '6500.00', '2026-02-14 05:00:00', '2026-02-22 05:00:00'),
  (3, 'Kanban in Practice', NULL, '2026-07-04', NULL, '09:00:00', '17:00:00', 'Bangkok', 'Kru Nok', 20, '1966.00', '5900.00', '2026-02-17 05:00:00', '2026-03-03 05:00:00'),
  (4, 'Facilitation Lab', NULL, '2026-10-17', '2026-10-18', '09:00:00', '17:00:00', 'Online', 'Kru Nok', 20, '3300.00', '9900.00', '2026-02-20 05:00:00', '2026-03-12 05:00:00'),
  (5, 'Agile Coaching', NULL, '2027-01-23', '2027-01-24', '09:00:00', '17:00:00', 'Bangkok', 'Kru Nok', 20, '4966.00', '14900.00', '2026-02-23 05:00:00', '2026-03-21 05:00:00');
INSERT INTO attendees (id, training_class_id, customer_id, name, email, phone, company, participant_type, source_channel, `status`, attendance_status, payment_status, document_status, invoice_no, due_date, price, total_classes, notes, created_at, updated_at) VALUES
  (1, 1, NULL, 'K. Mikael', 'walkin0@example.com', '0800000000', 'Fontaine Co., Ltd.', 'Corp', 'Facebook', 'attendee', 'มาเรียน', 'Paid', 'Receipt', 'INV-2026-001', '2026-02-17', '8400.00', 0, NULL, '2026-02-02 00:00:00', '2026-03-14 03:10:00'),
  (2, 1, 4, 'Marta Nieminen', 'marta.nieminen@example.com', '0800000031', NULL, 'Indi', 'LINE', 'attendee', 'มาเรียน', 'Pending', 'INV', 'INV-2026-002', '2026-02-17', '8900.00', 1, NULL, '2026-02-02 23:00:00', '2026-03-14 03:11:00'),
  (3, 1, 7, 'Tomas Horvat', 'tomas.horvat@example.com', '0800000062', NULL, 'Indi', 'Friend', 'attendee', 'มาเรียน', 'Paid', 'Receipt', 'INV-2026-003', '2026-02-18', '8900.00', 2, 'ขอใบกำกับภาษี', '2026-02-03 22:00:00', '2026-03-14 03:12:00'),
  (4, 1, 10, 'Nadia Lindqvist', 'nadia.lindqvist@example.com', '0800000093', 'Lindqvist Co., Ltd.', 'Corp', NULL, 'attendee', 'มาเรียน', 'Pending', 'QT', NULL, NULL, '8900.00', 0, NULL, '2026-02-04 21:00:00', '2026-03-14 03:13:00'),
  (5, 1, 13, 'Oskar Jokinen', 'oskar.jokinen@example.com', '0800000124', NULL, 'Indi', 'Facebook', 'attendee', 'No-show', 'Pending', 'INV', 'INV-2026-004', '2026-02-20', '8900.00', 1, NULL, '2026-02-05 20:00:00', '2026-02-09 22:00:00'),
  (6, 1, 16, 'Selma Novak', 'selma.novak@example.com', '0800000155', NULL, 'Indi', 'LINE', 'attendee', 'มาเรียน', 'Paid', 'Receipt', 'INV-2026-005', '2026-02-21', '8900.00', 2, NULL, '2026-02-06 19:00:00', '2026-03-14 03:15:00'),
  (7, 1, 19, 'Wout Laurent', 'wout.laurent@example.com', '0800000186', 'Laurent Co., Ltd.', 'Corp', 'Friend', 'potential', 'No-show', 'Pending', NULL, NULL, NULL, '8400.00', 0, NULL, '2026-02-07 18:00:00', '2026-02-13 20:00:00'),
  (8, 1, 2, 'Sofia Meyer', 'sofia.meyer@example.org', '0800000217', NULL, 'Indi', NULL, 'attendee', 'มาเรียน', 'Pending', 'QT', NULL, NULL, '8900.00', 1, NULL, '2026-02-08 17:00:00', '2026-03-14 03:17:00'),
  (9, 1, 5, 'Pavel Alvarez', 'pavel.alvarez@example.org', '0800000248', NULL, 'Indi', 'Facebook', 'attendee', 'มาเรียน', 'Paid', 'Receipt', 'INV-2026-006', '2026-02-24', '8900.00', 2, NULL, '2026-02-09 16:00:00', '2026-03-14 03:18:00'),
  (10, 2, 8, 'Greta Ortega', 'greta.ortega@example.org', '0800000279', 'Ortega Co., Ltd.', 'Corp', 'LINE', 'attendee', 'No-show', 'Paid', 'Receipt', 'INV-2026-007', '2026-04-08', '6500.00', 0, NULL, '2026-03-24 15:00:00', '2026-04-02 17:00:00'),
  (11, 2, NULL, 'K. Viktor', 'walkin10@example.com', '0800000310', NULL, 'Indi', 'Friend', 'attendee', 'มาเรียน', 'Pending', 'INV', 'INV-2026-008', '2026-04-09', '6500.00', 1, NULL, '2026-03-25 14:00:00', '2026-04-25 03:20:00'),
  (12, 2, 14, 'Petra Quist', 'petra.quist@example.org', '0800000341', NULL, 'Indi', NULL, 'attendee', 'มาเรียน', 'Pending', 'QT', NULL, NULL, '6500.00', 2, 'ขอใบกำกับภาษี', '2026-03-27 00:00:00', '2026-04-25 03:21:00'),
  (13, 2, 17, 'Tariq Janssen', 'tariq.janssen@example.org', '0800000372', 'Janssen Co., Ltd.', 'Corp', 'Facebook', 'attendee', 'มาเรียน', 'Paid', 'Receipt', 'INV-2026-009', '2026-04-11', '6000.00', 0, NULL, '2026-03-27 23:00:00', '2026-04-25 03:22:00'),
  (14, 2, 20, 'Yara Sato', 'yara.sato@example.org', '0800000403', NULL, 'Indi', 'LINE', 'attendee', 'มาเรียน', 'Pending', 'INV', 'INV-2026-010', '2026-04-12', '6500.00', 1, NULL, '2026-03-28 22:00:00', '2026-04-25 03:23:00'),
  (15, 2, 3, 'Jonas Toivonen', 'jonas.toivonen@example.net', '0800000434', NULL, 'Indi', 'Friend', 'potential', 'No-show', 'Pending', NULL, NULL, NULL, '6500.00', 2, NULL, '2026-03-29 21:00:00', '2026-03-31 23:00:00'),
  (16, 2, 6, 'Elena Ivanova', 'elena.ivanova@example.net', '0800000465', 'Ivanova Co., Ltd.', 'Corp', NULL, 'attendee', 'มาเรียน', 'Pending', 'QT', NULL, NULL, '6500.00', 0, NULL, '2026-03-30 20:00:00', '2026-04-25 03:25:00'),
  (17, 2, 9, 'Hugo Vasquez', 'hugo.vasquez@example.net', '0800000496', NULL, 'Indi', 'Facebook', 'attendee', 'มาเรียน', 'Pending', 'INV', 'INV-2026-011', '2026-04-15', '6500.00', 1, NULL, '2026-03-31 19:00:00', '2026-04-25 03:26:00'),
  (18, 2, 12, 'Ines Becker', 'ines.becker@example.net', '0800000527', NULL, 'Indi', 'LINE', 'attendee', 'มาเรียน', 'Paid', 'Receipt', 'INV-2026-012', '2026-04-16', '6500.00', 2, NULL, '2026-04-01 18:00:00', '2026-04-25 03:27:00'),
  (19, 3, 15, 'Rafael Zimmer', 'rafael.zimmer@example.net', '0800000558', 'Zimmer Co., Ltd.', 'Corp', 'Friend', 'attendee', 'มาเรียน', 'Paid', 'Receipt', 'INV-2026-013', '2026-06-26', '5400.00', 0, NULL, '2026-06-11 17:00:00', '2026-07-04 03:28:00'),
  (20, 3, 18, 'Ulla Eriksen', 'ulla.eriksen@example.net', '0800000589', NULL, 'Indi', NULL, 'attendee', 'No-show', 'Pending', 'QT', NULL, NULL, '5900.00', 1, NULL, '2026-06-12 16:00:00', '2026-06-19 18:00:00'),
  (21, 3, NULL, 'K. Mikael', 'walkin20@example.com', '0800000620', NULL, 'Indi', 'Facebook', 'attendee', 'มาเรียน', 'Paid', 'Receipt', 'INV-2026-014', '2026-06-28', '5900.00', 2, 'ขอใบกำกับภาษี', '2026-06-13 15:00:00', '2026-07-04 03:30:00'),
  (22, 3, 4, 'Marta Nieminen', 'marta.nieminen@example.com', '0800000651', 'Nieminen Co., Ltd.', 'Corp', 'LINE', 'attendee', 'มาเรียน', 'Paid', 'Receipt', 'INV-2026-015', '2026-06-29', '5900.00', 0, NULL, '2026-06-14 14:00:00', '2026-07-04 03:31:00'),
  (23, 3, 7, 'Tomas Horvat', 'tomas.horvat@example.com', '0800000682', NULL, 'Indi', 'Friend', 'potential', 'No-show', 'Pending', NULL, NULL, NULL, '5900.00', 1, NULL, '2026-06-16 00:00:00', '2026-06-26 02:00:00'),
  (24, 3, 10, 'Nadia Lindqvist', 'nadia.lindqvist@example.com', '0800000713', NULL, 'Indi', NULL, 'attendee', 'มาเรียน', 'Pending', 'QT', NULL, NULL, '5900.00', 2, NULL, '2026-06-16 23:00:00', '2026-07-04 03:33:00'),
  (25, 3, 13, 'Oskar Jokinen', 'oskar.jokinen@example.com', '0800000744', 'Jokinen Co., Ltd.', 'Corp', 'Facebook', 'attendee', 'No-show', 'Paid', 'Receipt', 'INV-2026-016', '2026-07-02', '5400.00', 0, NULL, '2026-06-17 22:00:00', '2026-06-18 00:00:00'),
  (26, 3, 16, 'Selma Novak', 'selma.novak@example.com', '0800000775', NULL, 'Indi', 'LINE', 'attendee', 'มาเรียน', 'Pending', 'INV', 'INV-2026-017', '2026-07-03', '5900.00', 1, NULL, '2026-06-18 21:00:00', '2026-07-04 03:35:00'),
  (27, 3, 19, 'Wout Laurent', 'wout.laurent@example.com', '0800000806', NULL, 'Indi', 'Friend', 'attendee', 'มาเรียน', 'Paid', 'Receipt', 'INV-2026-018', '2026-07-04', '5900.00', 2, NULL, '2026-06-19 20:00:00', '2026-07-04 03:36:00'),
  (28, 4, 2, 'Sofia Meyer', 'sofia.meyer@example.org', '0800000837', 'Meyer Co., Ltd.', 'Corp', NULL, 'attendee', 'มาเรียน', 'Pending', 'QT', NULL, NULL, '9900.00', 0, NULL, '2026-10-03 19:00:00', '2026-10-17 03:37:00'),
  (29, 4, 5, 'Pavel Alvarez', 'pavel.alvarez@example.org', '0800000868', NULL, 'Indi', 'Facebook', 'attendee', 'มาเรียน', 'Pending', 'INV', 'INV-2026-019', '2026-10-19', '9900.00', 1, NULL, '2026-10-04 18:00:00', '2026-10-17 03:38:00'),
  (30, 4, 8, 'Greta Ortega', 'greta.ortega@example.org', '0800000899', NULL, 'Indi', 'LINE', 'attendee', 'No-show', 'Paid', 'Receipt', 'INV-2026-020', '2026-10-20', '9900.00', 2, 'ขอใบกำกับภาษี', '2026-10-05 17:00:00', '2026-10-10 19:00:00'),
  (31, 4, NULL, 'K. Viktor', 'walkin30@example.com', '0800000930', 'Kowalski Co., Ltd.', 'Corp', 'Friend', 'potential', 'No-show', 'Pending', NULL, NULL, NULL, '9400.00', 0, NULL, '2026-09-06 16:00:00', '2026-09-12 18:00:00'),
  (32, 4, 14, 'Petra Quist', 'petra.quist@example.org', '0800000961', NULL, 'Indi', NULL, 'attendee', 'มาเรียน', 'Pending', 'QT', NULL, NULL, '9900.00', 1, NULL, '2026-09-07 15:00:00', '2026-10-17 03:41:00'),
  (33, 4, 17, 'Tariq Janssen', 'tariq.janssen@example.org', '0800000992', NULL, 'Indi', 'Facebook', 'attendee', 'มาเรียน', 'Paid', 'Receipt', 'INV-2026-021', '2026-09-23', '9900.00', 2, NULL, '2026-09-08 14:00:00', '2026-10-17 03:42:00'),
  (34, 4, 20, 'Yara Sato', 'yara.sato@example.org', '0800001023', 'Sato Co., Ltd.', 'Corp', 'LINE', 'attendee', 'มาเรียน', 'Paid', 'Receipt', 'INV-2026-022', '2026-09-25', '9900.00', 0, NULL, '2026-09-10 00:00:00', '2026-10-17 03:43:00'),
  (35, 4, 3, 'Jonas Toivonen', 'jonas.toivonen@example.net', '0800001054', NULL, 'Indi', 'Friend', 'attendee', 'No-show', 'Pending', 'INV', 'INV-2026-023', '2026-09-25', '9900.00', 1, NULL, '2026-09-10 23:00:00', '2026-09-21 01:00:00'),
  (36, 4, 6, 'Elena Ivanova', 'elena.ivanova@example.net', '0800001085', NULL, 'Indi', NULL, 'attendee', 'มาเรียน', 'Pending', 'QT', NULL, NULL, '9900.00', 2, NULL, '2026-09-11 22:00:00', '2026-10-17 03:45:00'),
  (37, 5, 9, 'Hugo Vasquez', 'hugo.vasquez@example.net', '0800001116', 'Vasquez Co., Ltd.', 'Corp', 'Facebook', 'attendee', 'No-show', 'Paid', 'Receipt', 'INV-2026-024', '2026-12-05', '14400.00', 0, NULL, '2026-11-20 08:36:00', '2026-11-24 08:00:00'),
  (38, 5, 12, 'Ines Becker', 'ines.becker@example.net', '0800001147', NULL, 'Indi', 'LINE', 'attendee', 'No-show', 'Pending', 'INV', 'INV-2026-025', '2026-12-05', '14900.00', 1, NULL, '2026-11-20 08:37:00', '2026-11-24 08:00:00'),
  (39, 5, 15, 'Rafael Zimmer', 'rafael.zimmer@example.net', '0800001178', NULL, 'Indi', 'Friend', 'potential', 'No-show', 'Pending', NULL, NULL, NULL, '14900.00', 2, 'ขอใบกำกับภาษี', '2026-11-20 08:38:00', '2026-11-24 08:00:00'),
  (40, 5, 18, 'Ulla Eriksen', 'ulla.eriksen@example.net', '0800001209', 'Eriksen Co., Ltd.', 'Corp', NULL, 'attendee', 'No-show', 'Pending', 'QT', NULL, NULL, '14900.00', 0, NULL, '2026-11-20 08:39:00', '2026-11-24 08:00:00');
INSERT INTO promotions (id, name, description, discount_type, discount_value, base_price, active, created_at, updated_at) VALUES
  (1, 'Early bird', NULL, 'fixed', '500.00', '0.00', 1, '2026-02-11 04:00:00', '2026-02-11 04:00:00'),
  (2, 'Buy 1 get 1', NULL, 'percentage', '50.00', '0.00', 0, '2026-02-11 04:00:00', '2026-06-11 04:00:00');
INSERT INTO attendee_promotions (id, attendee_id, promotion_id, created_at, updated_at) VALUES
  (1, 1, 1, '2026-02-02 00:00:00', '2026-02-02 00:00:00'),
  (2, 7, 1, '2026-02-07 18:00:00', '2026-02-07 18:00:00'),
  (3, 13, 1, '2026-03-27 23:00:00', '2026-03-27 23:00:00'),
  (4, 19, 1, '2026-06-11 17:00:00', '2026-06-11 17:00:00'),
  (5, 25, 1, '2026-06-17 22:00:00', '2026-06-17 22:00:00'),
  (6, 31, 1, '2026-09-06 16:00:00', '2026-09-06 16:00:00'),
  (7, 37, 1, '2026-11-20 08:36:00', '2026-11-20 08:36:00');
INSERT INTO class_expenses (id, training_class_id, description, category, amount, created_at, updated_at) VALUES
  (1, 1, 'Venue', 'venue', '1500.00', '2026-03-20 03:00:00', '2026-03-20 03:00:00'),
  (2, 2, 'Lunch', 'food', '1710.00', '2026-03-29 03:00:00', '2026-03-29 03:00:00'),
  (3, 3, 'Printing', 'material', '1920.00', '2026-04-07 03:00:00', '2026-04-07 03:00:00'),
  (4, 4, 'Venue', 'venue', '2130.00', '2026-04-16 03:00:00', '2026-04-16 03:00:00'),
  (5, 1, 'Lunch', 'food', '2340.00', '2026-04-25 03:00:00', '2026-04-25 03:00:00'),
  (6, 2, 'Printing', 'material', '2550.00', '2026-05-04 03:00:00', '2026-05-04 03:00:00'),
  (7, 3, 'Venue', 'venue', '2760.00', '2026-05-13 03:00:00', '2026-05-13 03:00:00'),
  (8, 4, 'Lunch', 'food', '2970.00', '2026-05-22 03:00:00', '2026-05-22 03:00:00'),
  (9, 1, 'Printing', 'material', '3180.00', '2026-05-31 03:00:00', '2026-05-31 03:00:00');
INSERT INTO active_storage_blobs (id, `key`, filename, content_type, metadata, service_name, byte_size, checksum, created_at) VALUES
  (1, 'c02c0b965e023abee808f2b548d8', 'slip0.jpg', 'image/jpeg', '{"identified":true}', 'local', 80211, '122c597083bd438b7f6d72==', '2026-03-02 04:00:00'),
  (2, '7dc96f776c8423e57a2785489a3f', 'slip1.jpg', 'image/jpeg', '{"identified":true}', 'local', 80212, 'd0f631ca1ddba8db3bcfcb==', '2026-03-03 04:00:00'),
  (3, '4814d92093ac8a0f4a2163ab87de', 'slip2.jpg', 'image/jpeg', '{"identified":true}', 'local', 80213, '9c0abe51c6e6655d81de2d==', '2026-03-04 04:00:00'),
  (4, '76a8277347f52530e1cf979175a1', 'slip3.jpg', 'image/jpeg', '{"identified":true}', 'local', 80214, '7c1c97df17c066924822b0==', '2026-03-05 04:00:00'),
  (5, '486bacc5c2d8a71a73d51bf8e522', 'slip4.jpg', 'image/jpeg', '{"identified":true}', 'local', 80215, '0012a3fa000c5dc26ee658==', '2026-03-06 04:00:00'),
  (6, '3c5661974942379614b943d0593e', 'slip5.jpg', 'image/jpeg', '{"identified":true}', 'local', 80216, 'd0bf3e6ee1d668de18c9ca==', '2026-03-07 04:00:00');
INSERT INTO active_storage_attachments (id, name, record_type, record_id, blob_id, created_at) VALUES
  (1, 'payment_slips', 'Attendee', 1, 1, '2026-03-02 04:00:00'),
  (2, 'payment_slips', 'Attendee', 2, 2, '2026-03-03 04:00:00'),
  (3, 'payment_slips', 'Attendee', 3, 3, '2026-03-04 04:00:00'),
  (4, 'payment_slips', 'Attendee', 4, 4, '2026-03-05 04:00:00'),
  (5, 'payment_slips', 'Attendee', 5, 5, '2026-03-06 04:00:00'),
  (6, 'payment_slips', 'Attendee', 6, 6, '2026-03-07 04:00:00');
INSERT INTO schema_migrations (version) VALUES
  ('20260201030000'),
  ('20260211045737'),
  ('20260211080000');
INSERT INTO ar_internal_metadata (`key`, value, created_at, updated_at) VALUES
  ('environment', 'production', '2026-02-01 03:00:00', '2026-02-01 03:00:00');
