-- A weblog with a ticket plugin and a shop plugin: attendees are posts with a key-value table beside them, orders have tables of their own.
CREATE TABLE wb_users (
  ID BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_login VARCHAR(60) NOT NULL,
  user_pass VARCHAR(255) NOT NULL COMMENT 'secret',
  user_email VARCHAR(100) NOT NULL,
  user_registered DATETIME NOT NULL,
  user_activation_key VARCHAR(255) NOT NULL COMMENT 'secret',
  display_name VARCHAR(250) NOT NULL
);
CREATE TABLE wb_usermeta (
  umeta_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id BIGINT UNSIGNED NOT NULL,
  meta_key VARCHAR(255) NULL,
  meta_value LONGTEXT NULL,
  KEY user_id (user_id)
);
CREATE TABLE wb_posts (
  ID BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  post_author BIGINT UNSIGNED NOT NULL,
  post_date DATETIME NOT NULL,
  post_date_gmt DATETIME NOT NULL,
  post_content LONGTEXT NOT NULL,
  post_title TEXT NOT NULL,
  post_status VARCHAR(20) NOT NULL,
  comment_status VARCHAR(20) NOT NULL,
  ping_status VARCHAR(20) NOT NULL,
  post_password VARCHAR(255) NOT NULL COMMENT 'secret',
  post_name VARCHAR(200) NOT NULL,
  post_modified DATETIME NOT NULL,
  post_modified_gmt DATETIME NOT NULL,
  post_parent BIGINT UNSIGNED NOT NULL,
  guid VARCHAR(255) NOT NULL,
  post_type VARCHAR(20) NOT NULL,
  comment_count BIGINT NOT NULL,
  KEY type_status_date (post_type, post_status, post_date, ID)
);
CREATE TABLE wb_postmeta (
  meta_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  post_id BIGINT UNSIGNED NOT NULL,
  meta_key VARCHAR(255) NULL,
  meta_value LONGTEXT NULL,
  KEY post_id (post_id),
  KEY meta_key (meta_key(191))
);
CREATE TABLE wb_tickets_orders (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  event_id BIGINT UNSIGNED NOT NULL,
  purchaser_name VARCHAR(200) NOT NULL,
  purchaser_email VARCHAR(200) NOT NULL,
  status VARCHAR(20) NOT NULL,
  created_at DATETIME NOT NULL,
  updated_at DATETIME NOT NULL
);
CREATE TABLE wb_wc_orders (
  id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
  status VARCHAR(20) NULL,
  currency VARCHAR(10) NULL,
  type VARCHAR(20) NULL,
  tax_amount DECIMAL(26,8) NULL,
  total_amount DECIMAL(26,8) NULL,
  customer_id BIGINT UNSIGNED NULL,
  billing_email VARCHAR(320) NULL,
  date_created_gmt DATETIME NULL,
  date_updated_gmt DATETIME NULL,
  parent_order_id BIGINT UNSIGNED NULL,
  payment_method VARCHAR(100) NULL,
  payment_method_title TEXT NULL,
  transaction_id VARCHAR(100) NULL COMMENT 'secret',
  ip_address VARCHAR(100) NULL COMMENT 'secret',
  user_agent TEXT NULL COMMENT 'secret',
  customer_note TEXT NULL COMMENT 'secret'
);
CREATE TABLE wb_wc_order_operational_data (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_id BIGINT UNSIGNED NOT NULL,
  created_via VARCHAR(100) NULL,
  order_key VARCHAR(100) NULL COMMENT 'secret',
  cart_hash VARCHAR(100) NULL COMMENT 'secret',
  date_paid_gmt DATETIME NULL,
  shipping_total_amount DECIMAL(26,8) NULL
);
CREATE TABLE wb_woocommerce_sessions (
  session_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  session_key CHAR(32) NOT NULL COMMENT 'secret',
  session_value LONGTEXT NOT NULL COMMENT 'secret',
  session_expiry BIGINT UNSIGNED NOT NULL
);
CREATE TABLE wb_woocommerce_api_keys (
  key_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id BIGINT UNSIGNED NOT NULL,
  permissions VARCHAR(10) NOT NULL,
  consumer_key CHAR(64) NOT NULL COMMENT 'secret',
  consumer_secret CHAR(43) NOT NULL COMMENT 'secret',
  nonces LONGTEXT NULL COMMENT 'secret',
  truncated_key CHAR(7) NOT NULL COMMENT 'secret'
);
INSERT INTO wb_users VALUES (1, 'admin', 'x', 'root@example.com', '2026-01-01', 'y', 'Root');
INSERT INTO wb_posts (ID, post_author, post_date, post_date_gmt, post_content, post_title, post_status, comment_status, ping_status, post_password, post_name, post_modified, post_modified_gmt, post_parent, guid, post_type, comment_count) VALUES
 (1, 1, '2026-01-01', '2026-01-01', '', 'Hello', 'publish', 'open', 'open', '', 'hello', '2026-01-01', '2026-01-01', 0, 'g1', 'post', 0),
 (2, 1, '2026-01-01', '2026-01-01', '', 'About', 'publish', 'closed', 'open', '', 'about', '2026-01-01', '2026-01-01', 0, 'g2', 'page', 0),
 (3, 1, '2026-01-01', '2026-01-01', '', 'Fest', 'publish', 'closed', 'open', '', 'fest', '2026-01-01', '2026-01-01', 0, 'g3', 'tribe_events', 0),
 (4, 1, '2026-01-02', '2026-01-02', '', 'Ada', 'publish', 'closed', 'open', '', 'ada', '2026-01-02', '2026-01-02', 3, 'g4', 'tribe_rsvp_attendees', 0),
 (5, 1, '2026-01-02', '2026-01-02', '', 'Bo', 'trash', 'closed', 'open', '', 'bo', '2026-01-02', '2026-01-02', 3, 'g5', 'tribe_rsvp_attendees', 0),
 (6, 1, '2026-01-02', '2026-01-02', '', 'Ticket', 'publish', 'closed', 'open', '', 't', '2026-01-02', '2026-01-02', 3, 'g6', 'tribe_rsvp_tickets', 0);
INSERT INTO wb_postmeta (post_id, meta_key, meta_value) VALUES (3, '_EventStartDate', '2026-05-01'), (3, '_EventVenueID', '9'), (2, '_edit_lock', '1:1'), (2, '_wp_page_template', 'default'),
 (4, '_tribe_rsvp_full_name', 'Ada Ames'), (4, '_tribe_rsvp_email', 'ada@example.com'), (4, '_tribe_rsvp_event', '3'), (4, '_tribe_rsvp_status', 'yes'), (4, '_tribe_rsvp_security_code', 'ab12'), (4, '_tribe_rsvp_product', '6'), (4, '_tribe_rsvp_checkedin', '1'),
 (5, '_tribe_rsvp_full_name', 'Bo Brun'), (5, '_tribe_rsvp_email', 'bo@example.com'), (5, '_tribe_rsvp_event', '3'), (5, '_tribe_rsvp_status', 'no'), (5, '_tribe_rsvp_security_code', 'cd34'), (5, '_tribe_rsvp_product', '6');
INSERT INTO wb_wc_orders (id, status, currency, type, total_amount, date_created_gmt, date_updated_gmt) VALUES (11, 'wc-completed', 'EUR', 'shop_order', 20, '2026-01-03', '2026-01-03'),
 (12, 'wc-refunded', 'EUR', 'shop_order', 10, '2026-01-03', '2026-01-04'), (13, 'wc-completed', 'EUR', 'shop_order_refund', -10, '2026-01-04', '2026-01-04'), (14, 'trash', 'EUR', 'shop_order', 5, '2026-01-04', '2026-01-04');
