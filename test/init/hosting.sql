-- A billing product for hosting companies in older PHP: names in one word with the prefix tbl, no foreign keys, texts as TEXT, states
-- as words. A client's product is the nearest that it has to a registration; a client has the currency of its invoices. No tenant.
CREATE TABLE tblaccounts (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  userid INT NOT NULL,
  currency INT NOT NULL,
  gateway TEXT NOT NULL,
  date DATETIME NULL,
  description TEXT NOT NULL,
  amountin DECIMAL(16,2) NOT NULL DEFAULT 0,
  fees DECIMAL(16,2) NOT NULL DEFAULT 0,
  amountout DECIMAL(16,2) NOT NULL DEFAULT 0,
  rate DECIMAL(16,5) NOT NULL DEFAULT 1,
  transid TEXT NOT NULL COMMENT 'secret',
  invoiceid INT NOT NULL DEFAULT 0,
  refundid INT NOT NULL DEFAULT 0,
  KEY invoiceid (invoiceid),
  KEY userid (userid)
);
CREATE TABLE tblactivitylog (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  date DATETIME NOT NULL,
  description TEXT NOT NULL,
  user TEXT NOT NULL,
  userid INT NOT NULL,
  ipaddr TEXT NOT NULL COMMENT 'secret'
);
CREATE TABLE tbladmins (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  uuid VARCHAR(255) NOT NULL DEFAULT '',
  roleid INT NOT NULL,
  username TEXT NOT NULL,
  password VARCHAR(255) NOT NULL DEFAULT '' COMMENT 'secret',
  passwordhash VARCHAR(255) NOT NULL DEFAULT '' COMMENT 'secret',
  authmodule TEXT NOT NULL,
  authdata TEXT NOT NULL COMMENT 'secret',
  firstname TEXT NOT NULL,
  lastname TEXT NOT NULL,
  email TEXT NOT NULL,
  signature TEXT NOT NULL,
  disabled INT NOT NULL DEFAULT 0,
  password_reset_key VARCHAR(255) NOT NULL DEFAULT '' COMMENT 'secret',
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL
);
CREATE TABLE tbladminlog (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  adminusername TEXT NOT NULL,
  logintime DATETIME NULL,
  logouttime DATETIME NULL,
  ipaddress TEXT NOT NULL COMMENT 'secret',
  sessionid TEXT NOT NULL COMMENT 'secret',
  lastvisit DATETIME NULL
);
CREATE TABLE tblannouncements (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  date DATETIME NULL,
  title TEXT NOT NULL,
  announcement TEXT NOT NULL,
  published TINYINT NOT NULL DEFAULT 0,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL
);
CREATE TABLE tblclientgroups (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  groupname VARCHAR(45) NOT NULL,
  groupcolour VARCHAR(45) NULL,
  discountpercent DECIMAL(10,2) NULL DEFAULT 0,
  separateinvoices TEXT NOT NULL
);
CREATE TABLE tblclients (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  uuid VARCHAR(255) NOT NULL DEFAULT '',
  firstname TEXT NOT NULL,
  lastname TEXT NOT NULL,
  companyname TEXT NOT NULL,
  email TEXT NOT NULL,
  address1 TEXT NOT NULL COMMENT 'secret',
  address2 TEXT NOT NULL COMMENT 'secret',
  city TEXT NOT NULL COMMENT 'secret',
  state TEXT NOT NULL,
  postcode TEXT NOT NULL COMMENT 'secret',
  country TEXT NOT NULL,
  phonenumber TEXT NOT NULL COMMENT 'secret',
  tax_id VARCHAR(128) NOT NULL DEFAULT '' COMMENT 'secret',
  password TEXT NOT NULL COMMENT 'secret',
  authmodule TEXT NOT NULL,
  authdata TEXT NOT NULL COMMENT 'secret',
  currency INT NOT NULL,
  defaultgateway TEXT NOT NULL,
  credit DECIMAL(16,2) NOT NULL DEFAULT 0,
  taxexempt TINYINT(1) NOT NULL DEFAULT 0,
  separateinvoices TINYINT(1) NOT NULL DEFAULT 0,
  datecreated DATE NOT NULL,
  notes TEXT NOT NULL COMMENT 'secret',
  billingcid INT NOT NULL DEFAULT 0,
  securityqid INT NOT NULL DEFAULT 0,
  securityqans TEXT NOT NULL COMMENT 'secret',
  groupid INT NOT NULL DEFAULT 0,
  cardtype VARCHAR(255) NOT NULL DEFAULT '',
  cardlastfour TEXT NOT NULL COMMENT 'secret',
  cardnum BLOB NULL COMMENT 'secret',
  expdate BLOB NULL COMMENT 'secret',
  gatewayid TEXT NOT NULL COMMENT 'secret',
  lastlogin DATETIME NULL,
  ip TEXT NOT NULL COMMENT 'secret',
  host TEXT NOT NULL,
  status ENUM('Active', 'Inactive', 'Closed') NOT NULL DEFAULT 'Active',
  language TEXT NOT NULL,
  pwresetkey TEXT NOT NULL COMMENT 'secret',
  marketing_emails_opt_in TINYINT UNSIGNED NOT NULL DEFAULT 0,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL,
  KEY email (email(64))
);
CREATE TABLE tblconfiguration (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  setting VARCHAR(64) NOT NULL,
  value TEXT NOT NULL COMMENT 'secret',
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL,
  KEY setting (setting)
);
CREATE TABLE tblcontacts (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  userid INT NOT NULL,
  firstname TEXT NOT NULL,
  lastname TEXT NOT NULL,
  email TEXT NOT NULL,
  address1 TEXT NOT NULL COMMENT 'secret',
  postcode TEXT NOT NULL COMMENT 'secret',
  phonenumber TEXT NOT NULL COMMENT 'secret',
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL
);
CREATE TABLE tblcurrencies (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  code TEXT NOT NULL,
  prefix TEXT NOT NULL,
  suffix TEXT NOT NULL,
  format INT NOT NULL,
  rate DECIMAL(16,5) NOT NULL DEFAULT 1,
  `default` INT NOT NULL
);
CREATE TABLE tblcustomfields (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  type TEXT NOT NULL,
  relid INT NOT NULL DEFAULT 0,
  fieldname TEXT NOT NULL,
  fieldtype TEXT NOT NULL
);
CREATE TABLE tblcustomfieldsvalues (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  fieldid INT NOT NULL,
  relid INT NOT NULL,
  value TEXT NOT NULL COMMENT 'secret',
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL
);
CREATE TABLE tbldomains (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  userid INT NOT NULL,
  orderid INT NOT NULL,
  type ENUM('Register', 'Transfer') NOT NULL,
  registrationdate DATE NOT NULL,
  domain TEXT NOT NULL,
  firstpaymentamount DECIMAL(16,2) NOT NULL DEFAULT 0,
  recurringamount DECIMAL(16,2) NOT NULL,
  registrar TEXT NOT NULL,
  registrationperiod INT NOT NULL DEFAULT 1,
  expirydate DATE NULL,
  status ENUM('Pending', 'Active', 'Grace', 'Expired', 'Cancelled', 'Fraud') NOT NULL DEFAULT 'Pending',
  nextduedate DATE NULL,
  additionalnotes TEXT NOT NULL,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL,
  KEY userid (userid)
);
CREATE TABLE tblemails (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  userid INT NOT NULL,
  subject TEXT NOT NULL,
  message TEXT NOT NULL,
  date DATETIME NULL,
  `to` TEXT NULL
);
CREATE TABLE tblgatewaylog (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  date DATETIME NULL,
  gateway TEXT NOT NULL,
  data TEXT NOT NULL COMMENT 'secret',
  result TEXT NOT NULL
);
CREATE TABLE tblhosting (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  userid INT NOT NULL,
  orderid INT NOT NULL,
  packageid INT NOT NULL,
  server INT NOT NULL,
  regdate DATE NOT NULL,
  domain TEXT NOT NULL,
  paymentmethod TEXT NOT NULL,
  qty INT UNSIGNED NOT NULL DEFAULT 1,
  firstpaymentamount DECIMAL(16,2) NOT NULL DEFAULT 0,
  amount DECIMAL(16,2) NOT NULL DEFAULT 0,
  billingcycle TEXT NOT NULL,
  nextduedate DATE NULL,
  nextinvoicedate DATE NOT NULL,
  termination_date DATE NULL,
  completed_date DATE NULL,
  domainstatus ENUM('Pending', 'Active', 'Suspended', 'Terminated', 'Cancelled', 'Fraud', 'Completed') NOT NULL DEFAULT 'Pending',
  username TEXT NOT NULL,
  password TEXT NOT NULL COMMENT 'secret',
  notes TEXT NOT NULL COMMENT 'secret',
  subscriptionid TEXT NOT NULL COMMENT 'secret',
  promoid INT NOT NULL DEFAULT 0,
  suspendreason TEXT NOT NULL,
  dedicatedip TEXT NOT NULL,
  ns1 TEXT NOT NULL,
  diskusage INT NOT NULL DEFAULT 0,
  disklimit INT NOT NULL DEFAULT 0,
  lastupdate DATETIME NULL,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL,
  KEY serviceid (id),
  KEY userid (userid),
  KEY orderid (orderid)
);
CREATE TABLE tblinvoices (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  userid INT NOT NULL,
  invoicenum TEXT NOT NULL,
  date DATE NULL,
  duedate DATE NULL,
  datepaid DATETIME NULL,
  last_capture_attempt TIMESTAMP NULL,
  date_refunded TIMESTAMP NULL,
  date_cancelled TIMESTAMP NULL,
  subtotal DECIMAL(16,2) NOT NULL,
  credit DECIMAL(16,2) NOT NULL,
  tax DECIMAL(16,2) NOT NULL,
  tax2 DECIMAL(16,2) NOT NULL,
  total DECIMAL(16,2) NOT NULL DEFAULT 0,
  taxrate DECIMAL(10,3) NOT NULL DEFAULT 0,
  taxrate2 DECIMAL(10,3) NOT NULL DEFAULT 0,
  status TEXT NOT NULL,
  paymentmethod TEXT NOT NULL,
  paymethodid INT UNSIGNED NULL,
  notes TEXT NOT NULL,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL,
  KEY userid (userid),
  KEY status (status(3))
);
CREATE TABLE tblinvoiceitems (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  invoiceid INT UNSIGNED NOT NULL DEFAULT 0,
  userid INT NOT NULL,
  type VARCHAR(30) NOT NULL,
  relid INT NOT NULL,
  description TEXT NOT NULL,
  amount DECIMAL(16,2) NOT NULL DEFAULT 0,
  taxed INT NOT NULL,
  duedate DATE NULL,
  paymentmethod TEXT NOT NULL,
  notes TEXT NOT NULL,
  KEY invoiceid (invoiceid),
  KEY userid (userid, type, relid)
);
CREATE TABLE tblorders (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  ordernum BIGINT NOT NULL,
  userid INT NOT NULL,
  contactid INT NOT NULL DEFAULT 0,
  date DATETIME NOT NULL,
  nameservers TEXT NOT NULL,
  transfersecret TEXT NOT NULL COMMENT 'secret',
  promocode TEXT NOT NULL,
  amount DECIMAL(16,2) NOT NULL,
  paymentmethod TEXT NOT NULL,
  invoiceid INT NOT NULL DEFAULT 0,
  status TEXT NOT NULL,
  ipaddress TEXT NOT NULL COMMENT 'secret',
  fraudmodule TEXT NOT NULL,
  fraudoutput TEXT NOT NULL,
  notes TEXT NOT NULL,
  KEY ordernum (ordernum),
  KEY userid (userid)
);
CREATE TABLE tblpaymentgateways (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  gateway TEXT NOT NULL,
  setting TEXT NOT NULL,
  value TEXT NOT NULL COMMENT 'secret',
  `order` INT NOT NULL DEFAULT 0
);
CREATE TABLE tblproductgroups (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name TEXT NOT NULL,
  hidden TINYINT(1) NOT NULL DEFAULT 0
);
CREATE TABLE tblproducts (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  type TEXT NOT NULL,
  gid INT NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  hidden TINYINT(1) NOT NULL DEFAULT 0,
  paytype TEXT NOT NULL,
  servertype TEXT NOT NULL,
  retired TINYINT(1) NOT NULL DEFAULT 0,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL
);
CREATE TABLE tblservers (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name TEXT NOT NULL,
  ipaddress TEXT NOT NULL,
  hostname TEXT NOT NULL,
  type TEXT NOT NULL,
  username TEXT NOT NULL,
  password TEXT NOT NULL COMMENT 'secret',
  accesshash TEXT NOT NULL COMMENT 'secret',
  active INT NOT NULL
);
CREATE TABLE tbltickets (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  tid VARCHAR(128) NOT NULL,
  did INT NOT NULL,
  userid INT NOT NULL,
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  c TEXT NOT NULL COMMENT 'secret',
  date DATETIME NOT NULL,
  title TEXT NOT NULL,
  message TEXT NOT NULL,
  status VARCHAR(64) NOT NULL,
  urgency TEXT NOT NULL,
  lastreply DATETIME NULL
);
CREATE TABLE tblusers (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  first_name VARCHAR(255) NOT NULL DEFAULT '',
  last_name VARCHAR(255) NOT NULL DEFAULT '',
  email VARCHAR(255) NOT NULL DEFAULT '',
  password VARCHAR(255) NOT NULL DEFAULT '' COMMENT 'secret',
  language VARCHAR(32) NOT NULL DEFAULT '',
  second_factor VARCHAR(255) NOT NULL DEFAULT '',
  second_factor_config TEXT NULL COMMENT 'secret',
  remember_token VARCHAR(100) NOT NULL DEFAULT '' COMMENT 'secret',
  reset_token VARCHAR(100) NOT NULL DEFAULT '' COMMENT 'secret',
  security_question_answer VARCHAR(255) NOT NULL DEFAULT '' COMMENT 'secret',
  last_ip VARCHAR(64) NOT NULL DEFAULT '' COMMENT 'secret',
  last_login DATETIME NULL,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL,
  UNIQUE KEY tblusers_email_unique (email(191))
);
INSERT INTO tblcurrencies (id, code, prefix, suffix, format, rate, `default`) VALUES (1, 'EUR', '€', ' EUR', 2, 1, 1), (2, 'USD', '$', ' USD', 1, 1.1, 0), (3, 'JPY', '¥', ' JPY', 4, 160, 0);
INSERT INTO tbladmins (id, roleid, username, password, authmodule, authdata, firstname, lastname, email, signature, created_at, updated_at) VALUES (1, 1, 'ada', 'x', '', '', 'Ada', 'Ames', 'ada@example.com', '', '2026-01-01', '2026-01-01');
INSERT INTO tblclientgroups (groupname, separateinvoices) VALUES ('Resellers', '');
INSERT INTO tblclients (firstname, lastname, companyname, email, address1, address2, city, state, postcode, country, phonenumber, password, authmodule, authdata, currency, defaultgateway, datecreated, notes, securityqans, cardlastfour, gatewayid, ip, host, status, language, pwresetkey, created_at, updated_at)
  WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 24)
  SELECT 'Kim', CONCAT('Doe', i), '', CONCAT('kim', i, '@example.com'), 'Main Street', '', 'Kiel', '', '24103', 'DE', '1', 'x', '', '', 1 + i % 2, '', '2026-01-02', '', '', '', '', '', '', IF(i % 8 = 0, 'Closed', 'Active'), '', '', '2026-01-02' + INTERVAL i HOUR, '2026-01-03' + INTERVAL i HOUR FROM n;
INSERT INTO tblusers (first_name, last_name, email, password, created_at, updated_at) SELECT firstname, lastname, email, 'x', created_at, updated_at FROM tblclients;
INSERT INTO tblproductgroups (id, name) VALUES (1, 'Shared hosting'), (2, 'Servers');
INSERT INTO tblproducts (id, type, gid, name, description, paytype, servertype, created_at, updated_at) VALUES (1, 'hostingaccount', 1, 'Small', '', 'recurring', 'cpanel', '2026-01-01', '2026-01-01'), (2, 'hostingaccount', 1, 'Large', '', 'recurring', 'cpanel', '2026-01-01', '2026-01-02'), (3, 'server', 2, 'Virtual', '', 'recurring', 'solus', '2026-01-01', '2026-01-01');
INSERT INTO tblservers (id, name, ipaddress, hostname, type, username, password, accesshash, active) VALUES (1, 'web1', '192.0.2.1', 'web1.example', 'cpanel', 'root', 'x', 'x', 1);
INSERT INTO tblorders (ordernum, userid, date, nameservers, transfersecret, promocode, amount, paymentmethod, status, ipaddress, fraudmodule, fraudoutput, notes)
  WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 36)
  SELECT 1000000 + i * 7919, 1 + i % 24, '2026-02-01' + INTERVAL i HOUR, '', '', '', 10 + i, IF(i % 2 = 0, 'paypal', 'banktransfer'), ELT(1 + i % 4, 'Pending', 'Active', 'Active', 'Cancelled'), '192.0.2.9', '', '', '' FROM n;
INSERT INTO tblhosting (userid, orderid, packageid, server, regdate, domain, paymentmethod, firstpaymentamount, amount, billingcycle, nextduedate, nextinvoicedate, termination_date, domainstatus, username, password, notes, subscriptionid, suspendreason, dedicatedip, ns1, created_at, updated_at)
  SELECT userid, id, 1 + id % 3, 1, DATE(date), CONCAT('d', id, '.example'), paymentmethod, amount, amount, 'Monthly', DATE(date) + INTERVAL 1 MONTH, DATE(date) + INTERVAL 1 MONTH, IF(id % 6 = 5, '2026-03-01', NULL),
    ELT(1 + id % 6, 'Pending', 'Active', 'Active', 'Suspended', 'Cancelled', 'Terminated'), CONCAT('u', id), 'x', '', '', '', '', '', date, date + INTERVAL 20 DAY FROM tblorders;
INSERT INTO tblinvoices (userid, invoicenum, date, duedate, datepaid, date_cancelled, subtotal, credit, tax, tax2, total, taxrate, status, paymentmethod, notes, created_at, updated_at)
  SELECT userid, IF(id % 3 = 0, '', CONCAT('2026-', id)), DATE(date), DATE(date) + INTERVAL 14 DAY, IF(id % 4 = 1, date + INTERVAL 2 DAY, NULL), IF(id % 4 = 3, date + INTERVAL 5 DAY, NULL), amount, 0, amount / 5, 0, amount * 1.2, 20, ELT(1 + id % 4, 'Unpaid', 'Paid', 'Draft', 'Cancelled'), paymentmethod, '', date, date + INTERVAL 5 DAY FROM tblorders;
INSERT INTO tblinvoiceitems (invoiceid, userid, type, relid, description, amount, taxed, duedate, paymentmethod, notes) SELECT id, userid, 'Hosting', id, 'Small', subtotal, 1, duedate, paymentmethod, '' FROM tblinvoices;
UPDATE tblorders SET invoiceid = id;
INSERT INTO tblaccounts (userid, currency, gateway, date, description, amountin, transid, invoiceid) SELECT userid, 0, paymentmethod, datepaid, 'Invoice Payment', total, CONCAT('T', id), id FROM tblinvoices WHERE status = 'Paid';
INSERT INTO tbldomains (userid, orderid, type, registrationdate, domain, recurringamount, registrar, expirydate, status, additionalnotes, created_at, updated_at) VALUES (1, 1, 'Register', '2026-02-01', 'one.example', 12, 'enom', '2027-02-01', 'Active', '', '2026-02-01', '2026-02-01'), (2, 2, 'Transfer', '2026-02-02', 'two.example', 12, 'enom', NULL, 'Pending', '', '2026-02-02', '2026-02-02');
INSERT INTO tblconfiguration (setting, value, created_at, updated_at) VALUES ('CompanyName', 'Host', '2026-01-01', '2026-01-01'), ('SequentialInvoiceNumbering', '', '2026-01-01', '2026-01-01'), ('SMTPPassword', 'x', '2026-01-01', '2026-01-01');
INSERT INTO tblpaymentgateways (gateway, setting, value) VALUES ('paypal', 'email', 'host@example.com'), ('paypal', 'apiPassword', 'x');
INSERT INTO tbltickets (tid, did, userid, name, email, c, date, title, message, status, urgency) VALUES ('123456', 1, 1, '', '', 'x', '2026-02-03', 'Help', 'Hello', 'Open', 'Medium'), ('234567', 1, 2, '', '', 'x', '2026-02-04', 'Move', 'Hello', 'Closed', 'Low');
INSERT INTO tblactivitylog (date, description, user, userid, ipaddr) SELECT date, 'New order', 'System', userid, '192.0.2.9' FROM tblorders;
