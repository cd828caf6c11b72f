-- A second product, made to be awkward: nothing in it is as the first one has it.
-- Columns that no one outside may ever see: attendees.gate_token, attendees.badge_pin, bills.cleared_*, and notes.
CREATE TABLE tokens (
  token_id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  digest BINARY(32) NOT NULL,
  tenant BIGINT UNSIGNED NOT NULL,
  perms JSON NOT NULL,
  perms_csv VARCHAR(200) CHARACTER SET latin1 NOT NULL,
  valid_until TIMESTAMP(6) NULL,
  killed_at DATETIME NULL,
  note VARCHAR(80) NULL,
  UNIQUE KEY (digest)
) DEFAULT CHARACTER SET utf8mb4;
CREATE TABLE `attendees?` (
  `attendee no` BIGINT UNSIGNED NOT NULL PRIMARY KEY,
  tenant BIGINT UNSIGNED NOT NULL,
  gathering BINARY(16) NOT NULL,
  `state` TINYINT NOT NULL,
  `first``name` VARCHAR(80) CHARACTER SET latin1 COLLATE latin1_swedish_ci NULL,
  last_name VARCHAR(80) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NULL,
  mail VARCHAR(190) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NULL,
  entered BIT(1) NOT NULL,
  entered_at DATETIME(6) NULL,
  is_deleted TINYINT(1) NOT NULL DEFAULT 0,
  hidden_at DATETIME NULL,
  gate_token CHAR(43) NOT NULL,
  badge_pin INT NOT NULL,
  made DATETIME NOT NULL,
  touched DATETIME(6) NULL,
  KEY by_tenant (tenant, touched, `attendee no`),
  KEY by_gathering (tenant, gathering, touched),
  KEY by_state (tenant, `state`, touched)
) DEFAULT CHARACTER SET utf8mb4;
CREATE TABLE bills (
  uid BINARY(16) NOT NULL PRIMARY KEY,
  tenant BIGINT UNSIGNED NOT NULL,
  bill_no INT UNSIGNED NOT NULL,
  phase VARCHAR(20) CHARACTER SET latin1 COLLATE latin1_swedish_ci NOT NULL,
  amount_minor BIGINT NOT NULL,
  cur CHAR(3) CHARACTER SET latin1 COLLATE latin1_swedish_ci NOT NULL,
  issued DATETIME NOT NULL,
  due TIMESTAMP NULL,
  is_deleted TINYINT(1) NOT NULL DEFAULT 0,
  hidden_at DATETIME NULL,
  cleared_xml MEDIUMTEXT NULL,
  cleared_at DATETIME NULL,
  notes VARCHAR(200) NULL,
  made TIMESTAMP(6) NULL,
  touched TIMESTAMP(6) NULL,
  KEY by_tenant (tenant, touched)
) DEFAULT CHARACTER SET utf8mb4;
CREATE TABLE bill_gatherings (
  bill BINARY(16) NOT NULL,
  gathering BINARY(16) NOT NULL,
  PRIMARY KEY (bill, gathering),
  KEY by_gathering (gathering, bill)
);
