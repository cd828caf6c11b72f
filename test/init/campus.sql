-- A school's system in camel case: keys repeat the names of their tables, ENUM states, users as Y and N, no tenant.
CREATE TABLE campusPerson (
  campusPersonID INT(10) UNSIGNED ZEROFILL NOT NULL AUTO_INCREMENT PRIMARY KEY,
  title VARCHAR(5) NOT NULL DEFAULT '',
  surname VARCHAR(60) NOT NULL DEFAULT '',
  firstName VARCHAR(60) NOT NULL DEFAULT '',
  preferredName VARCHAR(60) NOT NULL DEFAULT '',
  gender ENUM('M', 'F', 'Other', 'Unspecified') NOT NULL DEFAULT 'Unspecified' COMMENT 'secret',
  username VARCHAR(75) NOT NULL UNIQUE,
  passwordStrong VARCHAR(255) NOT NULL COMMENT 'secret',
  passwordStrongSalt VARCHAR(255) NOT NULL COMMENT 'secret',
  mfaSecret VARCHAR(16) NULL COMMENT 'secret',
  status ENUM('Full', 'Expected', 'Left') NOT NULL DEFAULT 'Full',
  email VARCHAR(75) NULL,
  emailAlternate VARCHAR(75) NULL,
  address1 MEDIUMTEXT NULL COMMENT 'secret',
  phone1 VARCHAR(20) NULL COMMENT 'secret',
  nationalIDCardNumber VARCHAR(30) NULL COMMENT 'secret',
  dateStart DATE NULL
);
CREATE TABLE campusTerm (
  campusTermID INT(5) UNSIGNED ZEROFILL NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(20) NOT NULL,
  firstDay DATE NOT NULL,
  lastDay DATE NOT NULL
);
CREATE TABLE campusActivity (
  campusActivityID INT(8) UNSIGNED ZEROFILL NOT NULL AUTO_INCREMENT PRIMARY KEY,
  campusTermID INT(5) UNSIGNED ZEROFILL NOT NULL,
  active ENUM('Y', 'N') NOT NULL DEFAULT 'Y',
  name VARCHAR(40) NOT NULL,
  maxParticipants INT(3) NOT NULL DEFAULT 0,
  programStart DATE NULL,
  programEnd DATE NULL,
  payment DECIMAL(8,2) NULL
);
CREATE TABLE campusActivityStudent (
  campusActivityStudentID INT(10) UNSIGNED ZEROFILL NOT NULL AUTO_INCREMENT PRIMARY KEY,
  campusActivityID INT(8) UNSIGNED ZEROFILL NOT NULL,
  campusPersonID INT(10) UNSIGNED ZEROFILL NOT NULL,
  status ENUM('Accepted', 'Pending', 'Waiting List', 'Not Accepted') NOT NULL DEFAULT 'Pending',
  timestampCreated TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  timestampUpdated TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  campusActivityIDBackup INT(8) UNSIGNED ZEROFILL NULL,
  KEY byActivity (campusActivityID, status)
);
CREATE TABLE campusActivityStaff (
  campusActivityStaffID INT(8) UNSIGNED ZEROFILL NOT NULL AUTO_INCREMENT PRIMARY KEY,
  campusActivityID INT(8) UNSIGNED ZEROFILL NOT NULL,
  campusPersonID INT(10) UNSIGNED ZEROFILL NOT NULL,
  role ENUM('Organiser', 'Coach', 'Assistant') NOT NULL
);
CREATE TABLE campusActivityAttendance (
  campusActivityAttendanceID INT(10) UNSIGNED ZEROFILL NOT NULL AUTO_INCREMENT PRIMARY KEY,
  campusActivityID INT(8) UNSIGNED ZEROFILL NOT NULL,
  campusPersonIDTaker INT(10) UNSIGNED ZEROFILL NOT NULL,
  attendance TEXT NOT NULL,
  date DATE NULL,
  timestampTaken TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE TABLE campusFinanceInvoicee (
  campusFinanceInvoiceeID INT(10) UNSIGNED ZEROFILL NOT NULL AUTO_INCREMENT PRIMARY KEY,
  campusPersonID INT(10) UNSIGNED ZEROFILL NOT NULL,
  invoiceTo ENUM('Family', 'Company') NOT NULL,
  companyName VARCHAR(100) NULL,
  companyEmail TEXT NULL,
  companyPhone VARCHAR(20) NULL COMMENT 'secret'
);
CREATE TABLE campusFinanceInvoice (
  campusFinanceInvoiceID INT(14) UNSIGNED ZEROFILL NOT NULL AUTO_INCREMENT PRIMARY KEY,
  campusTermID INT(5) UNSIGNED ZEROFILL NOT NULL,
  campusFinanceInvoiceeID INT(10) UNSIGNED ZEROFILL NOT NULL,
  invoiceNumber VARCHAR(20) NOT NULL UNIQUE,
  status ENUM('Pending', 'Issued', 'Paid', 'Paid - Partial', 'Cancelled', 'Refunded') NOT NULL DEFAULT 'Pending',
  invoiceIssueDate DATE NULL,
  invoiceDueDate DATE NULL,
  paidDate DATE NULL,
  paidAmount DECIMAL(13,2) NULL,
  feeTotal DECIMAL(13,2) NOT NULL,
  currency VARCHAR(3) NOT NULL DEFAULT 'GBP',
  reminderCount INT(3) NOT NULL DEFAULT 0,
  `key` VARCHAR(40) NOT NULL COMMENT 'secret',
  campusPersonIDCreator INT(10) UNSIGNED ZEROFILL NOT NULL,
  timestampCreator TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  campusPersonIDUpdate INT(10) UNSIGNED ZEROFILL NULL,
  timestampUpdate TIMESTAMP NULL
);
CREATE TABLE campusFinanceInvoiceFee (
  campusFinanceInvoiceFeeID INT(15) UNSIGNED ZEROFILL NOT NULL AUTO_INCREMENT PRIMARY KEY,
  campusFinanceInvoiceID INT(14) UNSIGNED ZEROFILL NOT NULL,
  name VARCHAR(100) NOT NULL,
  fee DECIMAL(12,2) NULL
);
CREATE TABLE campusFinanceExpense (
  campusFinanceExpenseID INT(14) UNSIGNED ZEROFILL NOT NULL AUTO_INCREMENT PRIMARY KEY,
  title VARCHAR(60) NOT NULL,
  cost DECIMAL(12,2) NOT NULL,
  status ENUM('Requested', 'Approved', 'Rejected', 'Paid') NOT NULL,
  timestampCreator TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP
);
INSERT INTO campusPerson (surname, firstName, preferredName, username, passwordStrong, passwordStrongSalt, email) VALUES
  ('Ames', 'Ada', 'Ada', 'ada', 'x', 'y', 'ada@example.com'), ('Brun', 'Bo', 'Bo', 'bo', 'x', 'y', 'bo@example.com');
INSERT INTO campusTerm (name, firstDay, lastDay) VALUES ('Autumn', '2026-09-01', '2026-12-20');
INSERT INTO campusActivity (campusTermID, name, programStart) VALUES (1, 'Chess', '2026-09-08'), (1, 'Choir', '2026-09-09');
INSERT INTO campusActivityStudent (campusActivityID, campusPersonID, status) VALUES (1, 1, 'Accepted'), (2, 2, 'Waiting List');
INSERT INTO campusFinanceInvoicee (campusPersonID, invoiceTo) VALUES (1, 'Family'), (2, 'Company');
INSERT INTO campusFinanceInvoice (campusTermID, campusFinanceInvoiceeID, invoiceNumber, status, invoiceIssueDate, feeTotal, `key`, campusPersonIDCreator, timestampUpdate) VALUES
  (1, 1, 'A-1', 'Issued', '2026-09-01', 10, 'k', 1, '2026-09-01'), (1, 2, 'A-2', 'Paid', '2026-09-02', 20, 'l', 1, '2026-09-02');
INSERT INTO campusFinanceInvoiceFee (campusFinanceInvoiceID, name, fee) VALUES (1, 'Chess', 10), (2, 'Choir', 20);
