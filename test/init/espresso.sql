-- A weblog with an event plugin of three-letter prefixes: a registration joins a person, an event and a transaction; persons and events are
-- posts, what else is known of a person is in a second table; a transaction is what is billed; states are codes of three letters.
CREATE TABLE wp_users (
  ID BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_login VARCHAR(60) NOT NULL DEFAULT '',
  user_pass VARCHAR(255) NOT NULL DEFAULT '' COMMENT 'secret',
  user_email VARCHAR(100) NOT NULL DEFAULT '',
  user_registered DATETIME NOT NULL,
  user_activation_key VARCHAR(255) NOT NULL DEFAULT '' COMMENT 'secret',
  display_name VARCHAR(250) NOT NULL DEFAULT ''
);
CREATE TABLE wp_options (option_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, option_name VARCHAR(191) NOT NULL UNIQUE, option_value LONGTEXT NOT NULL COMMENT 'secret', autoload VARCHAR(20) NOT NULL DEFAULT 'yes');
CREATE TABLE wp_posts (
  ID BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  post_author BIGINT UNSIGNED NOT NULL DEFAULT 0,
  post_date DATETIME NOT NULL, post_date_gmt DATETIME NOT NULL,
  post_content LONGTEXT NOT NULL,
  post_title TEXT NOT NULL,
  post_status VARCHAR(20) NOT NULL DEFAULT 'publish',
  post_password VARCHAR(255) NOT NULL DEFAULT '' COMMENT 'secret',
  post_name VARCHAR(200) NOT NULL DEFAULT '',
  post_modified DATETIME NOT NULL, post_modified_gmt DATETIME NOT NULL,
  post_parent BIGINT UNSIGNED NOT NULL DEFAULT 0,
  post_type VARCHAR(20) NOT NULL DEFAULT 'post',
  KEY type_status_date (post_type, post_status, post_date, ID)
);
CREATE TABLE wp_postmeta (meta_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, post_id BIGINT UNSIGNED NOT NULL DEFAULT 0, meta_key VARCHAR(255) NULL, meta_value LONGTEXT NULL, KEY post_id (post_id), KEY meta_key (meta_key(191)));
CREATE TABLE wp_esp_attendee_meta (
  ATTM_ID INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  ATT_ID BIGINT UNSIGNED NOT NULL,
  ATT_fname VARCHAR(45) NOT NULL, ATT_lname VARCHAR(45) NOT NULL,
  ATT_address VARCHAR(255) NOT NULL COMMENT 'secret',
  ATT_address2 VARCHAR(255) NOT NULL COMMENT 'secret',
  ATT_city VARCHAR(45) NOT NULL COMMENT 'secret',
  STA_ID INT NOT NULL, CNT_ISO VARCHAR(45) NOT NULL,
  ATT_zip VARCHAR(12) NOT NULL COMMENT 'secret',
  ATT_email VARCHAR(255) NOT NULL,
  ATT_phone VARCHAR(45) NOT NULL COMMENT 'secret',
  KEY ATT_ID (ATT_ID), KEY ATT_email (ATT_email(191))
);
CREATE TABLE wp_esp_event_meta (
  EVTM_ID INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  EVT_ID BIGINT UNSIGNED NOT NULL,
  EVT_display_desc TINYINT(1) NOT NULL DEFAULT 1,
  EVT_visible_on DATETIME NOT NULL,
  EVT_default_registration_status VARCHAR(3) NULL,
  EVT_phone VARCHAR(45) NULL COMMENT 'secret',
  EVT_additional_limit TINYINT NULL,
  EVT_external_URL VARCHAR(200) NULL,
  KEY EVT_ID (EVT_ID)
);
CREATE TABLE wp_esp_datetime (
  DTT_ID INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  EVT_ID BIGINT UNSIGNED NOT NULL,
  DTT_name VARCHAR(255) NOT NULL DEFAULT '',
  DTT_EVT_start DATETIME NOT NULL, DTT_EVT_end DATETIME NOT NULL,
  DTT_reg_limit MEDIUMINT NOT NULL DEFAULT -1, DTT_sold MEDIUMINT NOT NULL DEFAULT 0,
  DTT_order MEDIUMINT UNSIGNED NULL DEFAULT 0, DTT_parent INT UNSIGNED NULL DEFAULT 0, DTT_deleted TINYINT(1) NOT NULL DEFAULT 0,
  KEY EVT_ID (EVT_ID)
);
CREATE TABLE wp_esp_ticket (
  TKT_ID INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  TTM_ID INT UNSIGNED NOT NULL,
  TKT_name VARCHAR(245) NOT NULL DEFAULT '', TKT_description TEXT NOT NULL,
  TKT_qty MEDIUMINT NULL, TKT_sold MEDIUMINT NOT NULL DEFAULT 0,
  TKT_start_date DATETIME NOT NULL, TKT_end_date DATETIME NOT NULL,
  TKT_price DECIMAL(12,3) NOT NULL DEFAULT 0,
  TKT_is_default TINYINT NOT NULL DEFAULT 0, TKT_deleted TINYINT NOT NULL DEFAULT 0
);
CREATE TABLE wp_esp_datetime_ticket (DTK_ID INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, DTT_ID INT UNSIGNED NOT NULL, TKT_ID INT UNSIGNED NOT NULL, KEY DTT_ID (DTT_ID), KEY TKT_ID (TKT_ID));
CREATE TABLE wp_esp_status (STS_ID VARCHAR(3) NOT NULL PRIMARY KEY, STS_code VARCHAR(45) NOT NULL, STS_type VARCHAR(45) NOT NULL, STS_can_edit TINYINT(1) NOT NULL DEFAULT 0, STS_desc TINYTEXT NULL, STS_open TINYINT(1) NOT NULL DEFAULT 1, KEY STS_type (STS_type));
CREATE TABLE wp_esp_registration (
  REG_ID INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  EVT_ID BIGINT UNSIGNED NOT NULL, ATT_ID BIGINT UNSIGNED NOT NULL, TXN_ID INT UNSIGNED NOT NULL, TKT_ID INT UNSIGNED NOT NULL,
  STS_ID VARCHAR(3) NOT NULL DEFAULT 'RIC',
  REG_date DATETIME NOT NULL,
  REG_final_price DECIMAL(12,3) NOT NULL DEFAULT 0, REG_paid DECIMAL(12,3) NOT NULL DEFAULT 0,
  REG_session VARCHAR(45) NOT NULL COMMENT 'secret',
  REG_code VARCHAR(45) NULL COMMENT 'secret',
  REG_url_link VARCHAR(64) NULL COMMENT 'secret',
  REG_count TINYINT NULL DEFAULT 1, REG_group_size TINYINT NOT NULL DEFAULT 1,
  REG_att_is_going TINYINT(1) NULL DEFAULT 0,
  REG_deleted TINYINT(1) NOT NULL DEFAULT 0,
  KEY EVT_ID (EVT_ID), KEY STS_ID (STS_ID), KEY ATT_ID (ATT_ID), KEY TXN_ID (TXN_ID), KEY TKT_ID (TKT_ID)
);
CREATE TABLE wp_esp_checkin (
  CHK_ID INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  REG_ID INT UNSIGNED NOT NULL, DTT_ID INT UNSIGNED NOT NULL,
  CHK_in TINYINT UNSIGNED NOT NULL DEFAULT 1,
  CHK_timestamp DATETIME NOT NULL,
  KEY REG_ID (REG_ID), KEY DTT_ID (DTT_ID)
);
CREATE TABLE wp_esp_transaction (
  TXN_ID INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  TXN_timestamp DATETIME NOT NULL,
  TXN_total DECIMAL(12,3) NULL DEFAULT 0, TXN_paid DECIMAL(12,3) NOT NULL DEFAULT 0,
  STS_ID VARCHAR(3) NOT NULL DEFAULT 'TOP',
  TXN_session_data TEXT NULL COMMENT 'secret',
  TXN_hash_salt VARCHAR(250) NULL COMMENT 'secret',
  PMD_ID INT NULL,
  TXN_reg_steps TEXT NULL,
  KEY TXN_timestamp (TXN_timestamp), KEY STS_ID (STS_ID)
);
CREATE TABLE wp_esp_payment (
  PAY_ID INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  TXN_ID INT UNSIGNED NOT NULL,
  STS_ID VARCHAR(3) NULL,
  PAY_timestamp DATETIME NOT NULL,
  PAY_source VARCHAR(45) NULL,
  PAY_amount DECIMAL(12,3) NULL,
  PMD_ID INT NULL,
  PAY_gateway_response TEXT NULL COMMENT 'secret',
  PAY_txn_id_chq_nmbr VARCHAR(100) NULL COMMENT 'secret',
  PAY_po_number VARCHAR(100) NULL,
  PAY_extra_accntng VARCHAR(100) NULL,
  PAY_details TEXT NULL COMMENT 'secret',
  PAY_redirect_url VARCHAR(300) NULL COMMENT 'secret',
  PAY_redirect_args TEXT NULL COMMENT 'secret',
  KEY PAY_timestamp (PAY_timestamp), KEY TXN_ID (TXN_ID)
);
CREATE TABLE wp_esp_line_item (
  LIN_ID INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  LIN_code VARCHAR(245) NOT NULL DEFAULT '',
  TXN_ID INT NULL,
  LIN_name VARCHAR(245) NOT NULL DEFAULT '', LIN_desc VARCHAR(245) NULL,
  LIN_unit_price DECIMAL(12,3) NULL, LIN_percent DECIMAL(12,3) NULL, LIN_is_taxable TINYINT(1) NOT NULL DEFAULT 0, LIN_order INT NOT NULL DEFAULT 0,
  LIN_total DECIMAL(12,3) NULL, LIN_quantity INT NULL, LIN_parent INT NULL,
  LIN_type VARCHAR(25) NOT NULL, OBJ_ID INT NULL, OBJ_type VARCHAR(45) NULL, LIN_timestamp DATETIME NULL,
  KEY TXN_ID (TXN_ID), KEY parent (LIN_parent)
);
CREATE TABLE wp_esp_question (QST_ID INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, QST_display_text TEXT NOT NULL, QST_admin_label VARCHAR(255) NOT NULL, QST_system VARCHAR(25) NULL, QST_type VARCHAR(25) NOT NULL DEFAULT 'TEXT', QST_required TINYINT UNSIGNED NOT NULL DEFAULT 0, QST_order INT UNSIGNED NOT NULL DEFAULT 0, QST_deleted TINYINT UNSIGNED NOT NULL DEFAULT 0);
CREATE TABLE wp_esp_answer (
  ANS_ID INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  REG_ID INT UNSIGNED NOT NULL, QST_ID INT UNSIGNED NOT NULL,
  ANS_value TEXT NOT NULL COMMENT 'secret',
  KEY REG_ID (REG_ID), KEY QST_ID (QST_ID)
);
CREATE TABLE wp_esp_payment_method (
  PMD_ID INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  PMD_type VARCHAR(124) NULL, PMD_name VARCHAR(255) NULL, PMD_desc TEXT NULL, PMD_admin_name VARCHAR(255) NULL, PMD_slug VARCHAR(255) NULL UNIQUE, PMD_order INT NULL, PMD_debug_mode TINYINT(1) NULL DEFAULT 0
);
CREATE TABLE wp_esp_extra_meta (EXM_ID INT NOT NULL AUTO_INCREMENT PRIMARY KEY, OBJ_ID INT NULL, EXM_type VARCHAR(45) NULL, EXM_key VARCHAR(45) NULL, EXM_value TEXT NULL COMMENT 'secret', KEY EXM_type (EXM_type, OBJ_ID, EXM_key));
CREATE TABLE wp_esp_currency (CUR_code VARCHAR(6) NOT NULL PRIMARY KEY, CUR_single VARCHAR(45) NULL, CUR_plural VARCHAR(45) NULL, CUR_sign VARCHAR(45) NULL, CUR_dec_plc TINYINT NOT NULL DEFAULT 2, CUR_active TINYINT NULL DEFAULT 0);
INSERT INTO wp_users VALUES (1, 'admin', 'x', 'root@example.com', '2026-01-01', '', 'Root');
INSERT INTO wp_options (option_name, option_value) VALUES ('siteurl', 'https://example.com'), ('ee_config', 'a:1:{s:8:"currency";s:3:"USD";}');
INSERT INTO wp_posts (ID, post_date, post_date_gmt, post_content, post_title, post_modified, post_modified_gmt, post_type) VALUES (1, '2026-01-01', '2026-01-01', '', 'Jazz', '2026-01-02', '2026-01-02', 'espresso_events'), (2, '2026-01-01', '2026-01-01', '', 'Talks', '2026-01-02', '2026-01-02', 'espresso_events'),
  (11, '2026-01-01', '2026-01-01', '', 'Ada Ames', '2026-01-02', '2026-01-02', 'espresso_attendees'), (12, '2026-01-01', '2026-01-01', '', 'Bo Brun', '2026-01-02', '2026-01-02', 'espresso_attendees'), (13, '2026-01-01', '2026-01-01', '', 'Cy Cole', '2026-01-02', '2026-01-02', 'espresso_attendees');
INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (1, '_edit_lock', 'x'), (2, '_edit_lock', 'x');
INSERT INTO wp_esp_attendee_meta (ATT_ID, ATT_fname, ATT_lname, ATT_address, ATT_address2, ATT_city, STA_ID, CNT_ISO, ATT_zip, ATT_email, ATT_phone) VALUES (11, 'Ada', 'Ames', '', '', '', 0, 'US', '', 'ada@example.com', ''), (12, 'Bo', 'Brun', '', '', '', 0, 'US', '', 'bo@example.com', ''), (13, 'Cy', 'Cole', '', '', '', 0, 'US', '', 'cy@example.com', '');
INSERT INTO wp_esp_event_meta (EVT_ID, EVT_visible_on) VALUES (1, '2026-01-01'), (2, '2026-01-01');
INSERT INTO wp_esp_datetime (DTT_ID, EVT_ID, DTT_EVT_start, DTT_EVT_end) VALUES (1, 1, '2026-05-01', '2026-05-02'), (2, 2, '2026-06-01', '2026-06-02');
INSERT INTO wp_esp_ticket (TKT_ID, TTM_ID, TKT_name, TKT_description, TKT_start_date, TKT_end_date, TKT_price) VALUES (1, 1, 'Free', '', '2026-01-01', '2026-05-01', 0), (2, 1, 'Full', '', '2026-01-01', '2026-06-01', 50);
INSERT INTO wp_esp_datetime_ticket (DTT_ID, TKT_ID) VALUES (1, 1), (2, 2);
INSERT INTO wp_esp_status (STS_ID, STS_code, STS_type) VALUES ('RAP', 'APPROVED', 'registration'), ('RPP', 'PENDING_PAYMENT', 'registration'), ('RCN', 'CANCELLED', 'registration'), ('RDC', 'DECLINED', 'registration'), ('RIC', 'INCOMPLETE', 'registration'), ('TCM', 'COMPLETE', 'transaction'), ('TIN', 'INCOMPLETE', 'transaction'), ('TAB', 'ABANDONED', 'transaction'), ('PAP', 'APPROVED', 'payment');
INSERT INTO wp_esp_transaction (TXN_ID, TXN_timestamp, TXN_total, TXN_paid, STS_ID, TXN_session_data, TXN_hash_salt) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 30) SELECT i, '2026-02-01' + INTERVAL i HOUR, 50, IF(i % 3 = 0, 50, 0), ELT(1 + i % 3, 'TCM', 'TIN', 'TAB'), 'x', 'x' FROM n;
INSERT INTO wp_esp_registration (REG_ID, EVT_ID, ATT_ID, TXN_ID, TKT_ID, STS_ID, REG_date, REG_final_price, REG_session, REG_code, REG_url_link, REG_deleted) SELECT TXN_ID, 1 + TXN_ID % 2, 11 + TXN_ID % 3, TXN_ID, 1 + TXN_ID % 2, ELT(1 + TXN_ID % 5, 'RAP', 'RPP', 'RCN', 'RDC', 'RIC'), TXN_timestamp, 50, 'x', CONCAT(TXN_ID, '-1-x'), 'x', TXN_ID = 7 FROM wp_esp_transaction;
INSERT INTO wp_esp_checkin (REG_ID, DTT_ID, CHK_in, CHK_timestamp) SELECT REG_ID, EVT_ID, REG_ID % 10 > 0, '2026-05-01 10:00:00' FROM wp_esp_registration WHERE STS_ID = 'RAP';
INSERT INTO wp_esp_payment (TXN_ID, STS_ID, PAY_timestamp, PAY_amount, PAY_gateway_response, PAY_txn_id_chq_nmbr) SELECT TXN_ID, 'PAP', TXN_timestamp, 50, 'x', CONCAT('ch_', TXN_ID) FROM wp_esp_transaction WHERE STS_ID = 'TCM';
INSERT INTO wp_esp_line_item (LIN_code, TXN_ID, LIN_name, LIN_unit_price, LIN_total, LIN_quantity, LIN_type) SELECT 'total', TXN_ID, 'Total', 50, 50, 1, 'total' FROM wp_esp_transaction;
INSERT INTO wp_esp_line_item (LIN_code, TXN_ID, LIN_name, LIN_unit_price, LIN_total, LIN_quantity, LIN_type) SELECT 'ticket', TXN_ID, 'Ticket', 50, 50, 1, 'line-item' FROM wp_esp_transaction;
INSERT INTO wp_esp_question (QST_display_text, QST_admin_label) VALUES ('Diet', 'diet');
INSERT INTO wp_esp_answer (REG_ID, QST_ID, ANS_value) SELECT REG_ID, 1, 'x' FROM wp_esp_registration;
INSERT INTO wp_esp_payment_method (PMD_type, PMD_slug) VALUES ('Invoice', 'invoice');
INSERT INTO wp_esp_extra_meta (OBJ_ID, EXM_type, EXM_key, EXM_value) VALUES (1, 'Payment_Method', 'api_key', 'x');
INSERT INTO wp_esp_currency VALUES ('USD', 'dollar', 'dollars', '$', 2, 1), ('EUR', 'euro', 'euros', '€', 2, 1), ('KWD', 'dinar', 'dinars', 'KD', 3, 0);
