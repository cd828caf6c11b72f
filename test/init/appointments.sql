-- A weblog with a booking plugin in camel case: a booking is of an appointment or of the periods of an event, a person is a row of the
-- plugin's own users, a payment is what is billed, amounts are DOUBLE, the currency is a setting, no row has the time of its last change.
CREATE TABLE wp_users (
  ID BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_login VARCHAR(60) NOT NULL DEFAULT '',
  user_pass VARCHAR(255) NOT NULL DEFAULT '' COMMENT 'secret',
  user_nicename VARCHAR(50) NOT NULL DEFAULT '',
  user_email VARCHAR(100) NOT NULL DEFAULT '',
  user_url VARCHAR(100) NOT NULL DEFAULT '',
  user_registered DATETIME NOT NULL,
  user_activation_key VARCHAR(255) NOT NULL DEFAULT '' COMMENT 'secret',
  user_status INT NOT NULL DEFAULT 0,
  display_name VARCHAR(250) NOT NULL DEFAULT '',
  KEY user_login_key (user_login), KEY user_email (user_email)
);
CREATE TABLE wp_usermeta (
  umeta_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id BIGINT UNSIGNED NOT NULL DEFAULT 0,
  meta_key VARCHAR(255) NULL,
  meta_value LONGTEXT NULL COMMENT 'secret',
  KEY user_id (user_id), KEY meta_key (meta_key(191))
);
CREATE TABLE wp_options (
  option_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  option_name VARCHAR(191) NOT NULL DEFAULT '',
  option_value LONGTEXT NOT NULL COMMENT 'secret',
  autoload VARCHAR(20) NOT NULL DEFAULT 'yes',
  UNIQUE KEY option_name (option_name), KEY autoload (autoload)
);
CREATE TABLE wp_posts (
  ID BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  post_author BIGINT UNSIGNED NOT NULL DEFAULT 0,
  post_date DATETIME NOT NULL,
  post_date_gmt DATETIME NOT NULL,
  post_content LONGTEXT NOT NULL,
  post_title TEXT NOT NULL,
  post_excerpt TEXT NOT NULL,
  post_status VARCHAR(20) NOT NULL DEFAULT 'publish',
  post_password VARCHAR(255) NOT NULL DEFAULT '' COMMENT 'secret',
  post_name VARCHAR(200) NOT NULL DEFAULT '',
  post_modified DATETIME NOT NULL,
  post_modified_gmt DATETIME NOT NULL,
  post_parent BIGINT UNSIGNED NOT NULL DEFAULT 0,
  guid VARCHAR(255) NOT NULL DEFAULT '',
  post_type VARCHAR(20) NOT NULL DEFAULT 'post',
  comment_count BIGINT NOT NULL DEFAULT 0,
  KEY type_status_date (post_type, post_status, post_date, ID), KEY post_parent (post_parent)
);
CREATE TABLE wp_postmeta (
  meta_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  post_id BIGINT UNSIGNED NOT NULL DEFAULT 0,
  meta_key VARCHAR(255) NULL,
  meta_value LONGTEXT NULL,
  KEY post_id (post_id), KEY meta_key (meta_key(191))
);
CREATE TABLE wp_comments (
  comment_ID BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  comment_post_ID BIGINT UNSIGNED NOT NULL DEFAULT 0,
  comment_author TINYTEXT NOT NULL,
  comment_author_email VARCHAR(100) NOT NULL DEFAULT '',
  comment_author_IP VARCHAR(100) NOT NULL DEFAULT '' COMMENT 'secret',
  comment_date DATETIME NOT NULL,
  comment_content TEXT NOT NULL,
  comment_approved VARCHAR(20) NOT NULL DEFAULT '1',
  user_id BIGINT UNSIGNED NOT NULL DEFAULT 0
);
CREATE TABLE wp_amelia_users (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  status ENUM('hidden','visible','disabled') NOT NULL DEFAULT 'visible',
  type ENUM('customer','provider','manager','admin') NOT NULL,
  externalId BIGINT NULL,
  firstName VARCHAR(255) NOT NULL DEFAULT '',
  lastName VARCHAR(255) NOT NULL DEFAULT '',
  email VARCHAR(255) NULL,
  birthday DATE NULL COMMENT 'secret',
  phone VARCHAR(63) NULL COMMENT 'secret',
  gender ENUM('male','female') NULL,
  note TEXT NULL COMMENT 'secret',
  description TEXT NULL,
  pictureFullPath VARCHAR(767) NULL,
  pictureThumbPath VARCHAR(767) NULL,
  password VARCHAR(128) NULL COMMENT 'secret',
  usedTokens TEXT NULL COMMENT 'secret',
  zoomUserId VARCHAR(255) NULL,
  stripeConnect VARCHAR(255) NULL COMMENT 'secret',
  countryPhoneIso VARCHAR(2) NULL,
  translations TEXT NULL,
  timeZone VARCHAR(255) NULL,
  badgeId INT NULL,
  UNIQUE KEY email (email), UNIQUE KEY id (id)
);
CREATE TABLE wp_amelia_services (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(255) NOT NULL DEFAULT '',
  description TEXT NULL,
  color VARCHAR(255) NOT NULL DEFAULT '',
  price DOUBLE NOT NULL,
  status ENUM('hidden','visible','disabled') NOT NULL DEFAULT 'visible',
  categoryId INT NOT NULL,
  minCapacity INT NOT NULL, maxCapacity INT NOT NULL,
  duration INT NOT NULL,
  settings TEXT NULL
);
CREATE TABLE wp_amelia_appointments (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  status ENUM('approved','pending','canceled','rejected','no-show') NULL,
  bookingStart DATETIME NOT NULL, bookingEnd DATETIME NOT NULL,
  notifyParticipants TINYINT(1) NOT NULL,
  serviceId INT NOT NULL,
  packageId INT NULL,
  providerId INT NOT NULL,
  locationId INT NULL,
  internalNotes TEXT NULL COMMENT 'secret',
  googleCalendarEventId VARCHAR(255) NULL,
  zoomMeeting TEXT NULL COMMENT 'secret',
  parentId INT NULL
);
CREATE TABLE wp_amelia_events (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  parentId BIGINT NULL,
  name VARCHAR(255) NOT NULL DEFAULT '',
  status ENUM('approved','pending','canceled','rejected') NOT NULL,
  bookingOpens DATETIME NULL, bookingCloses DATETIME NULL,
  recurringCycle ENUM('daily','weekly','monthly','yearly') NULL,
  recurringOrder INT NULL, recurringInterval INT NULL DEFAULT 1, recurringUntil DATETIME NULL,
  maxCapacity INT NOT NULL,
  price DOUBLE NOT NULL,
  locationId BIGINT NULL,
  customLocation VARCHAR(255) NULL,
  description TEXT NULL,
  color VARCHAR(255) NULL,
  `show` TINYINT(1) NOT NULL DEFAULT 1,
  notifyParticipants TINYINT(1) NOT NULL,
  created DATETIME NOT NULL,
  settings TEXT NULL,
  depositPayment ENUM('disabled','fixed','percentage') NULL DEFAULT 'disabled',
  deposit DOUBLE NULL DEFAULT 0,
  customPricing TINYINT(1) NULL DEFAULT 0,
  organizerId BIGINT NULL
);
CREATE TABLE wp_amelia_events_periods (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  eventId BIGINT NOT NULL,
  periodStart DATETIME NOT NULL, periodEnd DATETIME NOT NULL,
  zoomMeeting TEXT NULL COMMENT 'secret',
  lessonSpace TEXT NULL,
  googleCalendarEventId VARCHAR(255) NULL, googleMeetUrl VARCHAR(255) NULL, outlookCalendarEventId VARCHAR(255) NULL
);
CREATE TABLE wp_amelia_events_to_tickets (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  eventId BIGINT NOT NULL,
  enabled TINYINT(1) NULL DEFAULT 1,
  name VARCHAR(255) NOT NULL,
  price DOUBLE NULL DEFAULT 0,
  dateRanges TEXT NULL,
  spots INT NOT NULL
);
CREATE TABLE wp_amelia_events_to_providers (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, eventId BIGINT NOT NULL, userId BIGINT NOT NULL);
CREATE TABLE wp_amelia_customer_bookings (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  appointmentId INT NULL,
  customerId INT NOT NULL,
  status ENUM('approved','pending','canceled','rejected','no-show','waiting') NULL,
  price DOUBLE NOT NULL,
  tax VARCHAR(255) NULL,
  persons INT NOT NULL,
  couponId INT NULL,
  token VARCHAR(10) NULL COMMENT 'secret',
  customFields TEXT NULL COMMENT 'secret',
  info TEXT NULL COMMENT 'secret',
  utcOffset INT NULL,
  aggregatedPrice TINYINT(1) NULL DEFAULT 1,
  packageCustomerServiceId INT NULL,
  duration INT NULL,
  created DATETIME NULL,
  actionsCompleted TINYINT(1) NULL,
  qrCodes TEXT NULL COMMENT 'secret'
);
CREATE TABLE wp_amelia_customer_bookings_to_events_periods (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  customerBookingId BIGINT NOT NULL,
  eventPeriodId BIGINT NOT NULL,
  UNIQUE KEY bookingEventPeriod (customerBookingId, eventPeriodId)
);
CREATE TABLE wp_amelia_customer_bookings_to_events_tickets (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  customerBookingId BIGINT NOT NULL,
  eventTicketId BIGINT NOT NULL,
  price DOUBLE NULL DEFAULT 0,
  persons INT NOT NULL
);
CREATE TABLE wp_amelia_customer_bookings_to_extras (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  customerBookingId INT NOT NULL, extraId INT NOT NULL, quantity INT NOT NULL, price DOUBLE NOT NULL,
  UNIQUE KEY bookingExtra (customerBookingId, extraId)
);
CREATE TABLE wp_amelia_payments (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  customerBookingId INT NULL,
  amount DOUBLE NOT NULL DEFAULT 0,
  dateTime DATETIME NULL,
  status ENUM('paid','pending','partiallyPaid','refunded') NOT NULL,
  gateway ENUM('onSite','payPal','stripe','wc','mollie','razorpay','square') NOT NULL,
  gatewayTitle VARCHAR(255) NULL,
  data TEXT NULL COMMENT 'secret',
  packageCustomerId INT NULL,
  parentId INT NULL,
  entity ENUM('appointment','event','package') NULL,
  created DATETIME NULL,
  actionsCompleted TINYINT(1) NULL, triggeredActions TINYINT(1) NULL,
  wcOrderId BIGINT NULL, wcOrderItemId BIGINT NULL,
  transactionId VARCHAR(255) NULL COMMENT 'secret',
  transfers TEXT NULL COMMENT 'secret',
  invoiceNumber INT NULL
);
CREATE TABLE wp_amelia_coupons (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  code VARCHAR(255) NOT NULL,
  discount DOUBLE NOT NULL, deduction DOUBLE NOT NULL, `limit` DOUBLE NOT NULL,
  status ENUM('hidden','visible') NOT NULL,
  expirationDate DATETIME NULL
);
CREATE TABLE wp_amelia_cache (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, name VARCHAR(255) NOT NULL, paymentId INT NULL, data TEXT NULL COMMENT 'secret');
CREATE TABLE wp_amelia_locations (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  status ENUM('hidden','visible','disabled') NOT NULL DEFAULT 'visible',
  name VARCHAR(255) NOT NULL DEFAULT '',
  address VARCHAR(255) NOT NULL,
  phone VARCHAR(63) NOT NULL COMMENT 'secret',
  latitude DECIMAL(8,6) NOT NULL, longitude DECIMAL(9,6) NOT NULL
);
CREATE TABLE wp_amelia_notifications_sms_history (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  notificationId INT NOT NULL,
  userId INT NULL, appointmentId INT NULL, eventId INT NULL,
  text VARCHAR(1600) NOT NULL,
  phone VARCHAR(63) NOT NULL COMMENT 'secret',
  dateTime DATETIME NULL,
  status ENUM('prepared','accepted','queued','sent','failed','delivered','undelivered') NOT NULL DEFAULT 'prepared',
  price DOUBLE NULL
);
CREATE TABLE wp_amelia_providers_to_google_calendar (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, userId INT NOT NULL, token TEXT NOT NULL COMMENT 'secret', calendarId TEXT NULL);
CREATE TABLE wp_amelia_custom_fields (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, label TEXT NOT NULL, type ENUM('text','text-area','select','checkbox','radio','content','file','datepicker','address') NOT NULL DEFAULT 'text', required TINYINT(1) NOT NULL DEFAULT 0, position INT NOT NULL);
INSERT INTO wp_users (ID, user_login, user_pass, user_email, user_registered, display_name) VALUES (1, 'admin', 'x', 'root@example.com', '2026-01-01', 'Root');
INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES (1, 'nickname', 'admin'), (1, 'session_tokens', 'x'), (1, 'wp_capabilities', 'x');
INSERT INTO wp_options (option_name, option_value) VALUES ('siteurl', 'https://example.com'), ('timezone_string', 'UTC'), ('amelia_settings', '{"payments":{"currency":"EUR","priceSymbolPosition":"before"}}');
INSERT INTO wp_posts (ID, post_author, post_date, post_date_gmt, post_content, post_title, post_excerpt, post_name, post_modified, post_modified_gmt, post_type) VALUES
 (1, 1, '2026-01-01', '2026-01-01', '', 'Hello', '', 'hello', '2026-01-01', '2026-01-01', 'post'), (2, 1, '2026-01-01', '2026-01-01', '', 'Events', '', 'events', '2026-01-01', '2026-01-02', 'page');
INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (2, '_edit_lock', '1:1'), (2, '_wp_page_template', 'default');
INSERT INTO wp_amelia_users (id, type, firstName, lastName, email) VALUES (1, 'provider', 'Pia', 'Pohl', 'pia@example.com'), (2, 'customer', 'Ada', 'Ames', 'ada@example.com'), (3, 'customer', 'Bo', 'Brun', 'bo@example.com'), (4, 'customer', 'Cy', 'Cole', 'cy@example.com');
INSERT INTO wp_amelia_services (id, name, price, categoryId, minCapacity, maxCapacity, duration) VALUES (1, 'Lesson', 30, 1, 1, 1, 3600);
INSERT INTO wp_amelia_events (id, name, status, maxCapacity, price, notifyParticipants, created) VALUES (1, 'Fest', 'approved', 50, 20, 1, '2026-01-02'), (2, 'Fair', 'approved', 50, 10, 1, '2026-01-03'), (3, 'Ball', 'canceled', 50, 40, 1, '2026-01-03');
INSERT INTO wp_amelia_events_periods (id, eventId, periodStart, periodEnd) VALUES (1, 1, '2026-05-01 10:00:00', '2026-05-01 18:00:00'), (2, 1, '2026-05-02 10:00:00', '2026-05-02 18:00:00'), (3, 2, '2026-06-01 10:00:00', '2026-06-01 12:00:00'), (4, 3, '2026-07-01 10:00:00', '2026-07-01 12:00:00');
INSERT INTO wp_amelia_appointments (id, status, bookingStart, bookingEnd, notifyParticipants, serviceId, providerId) SELECT seq.n, 'approved', '2026-04-01' + INTERVAL seq.n DAY, '2026-04-01 01:00:00' + INTERVAL seq.n DAY, 1, 1, 1 FROM (SELECT 1 AS n UNION SELECT 2 UNION SELECT 3 UNION SELECT 4) seq;
INSERT INTO wp_amelia_customer_bookings (id, appointmentId, customerId, status, price, persons, token, info, created)
  WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 40)
  SELECT i, IF(i <= 4, i, NULL), 2 + i % 3, ELT(1 + i % 8, 'approved', 'approved', 'approved', 'pending', 'canceled', 'approved', 'rejected', 'waiting'), 20, 1, CONCAT('t', i), '{"firstName":"x"}', '2026-02-01' + INTERVAL i HOUR FROM n;
INSERT INTO wp_amelia_customer_bookings_to_events_periods (customerBookingId, eventPeriodId) SELECT id, ELT(1 + id % 3, 1, 3, 4) FROM wp_amelia_customer_bookings WHERE id > 4;
INSERT INTO wp_amelia_customer_bookings_to_events_periods (customerBookingId, eventPeriodId) SELECT customerBookingId, 2 FROM wp_amelia_customer_bookings_to_events_periods WHERE eventPeriodId = 1;
INSERT INTO wp_amelia_payments (customerBookingId, amount, dateTime, status, gateway, data, entity, created, transactionId, invoiceNumber)
  SELECT id, price, created + INTERVAL 1 HOUR, ELT(1 + id % 6, 'paid', 'paid', 'pending', 'paid', 'refunded', 'partiallyPaid'), IF(id % 3 = 0, 'onSite', 'stripe'), '', IF(id <= 4, 'appointment', 'event'), created, IF(id % 3 = 0, NULL, CONCAT('pi_', id)), id FROM wp_amelia_customer_bookings;
