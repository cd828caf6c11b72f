-- A grown product in terse, abbreviated names without foreign keys: prefixed columns, flags as letters, one table of codes.
CREATE TABLE org (
  org_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  org_nm VARCHAR(80) NOT NULL,
  org_ccy CHAR(3) NOT NULL,
  org_tel VARCHAR(30) NULL COMMENT 'secret'
);
CREATE TABLE ev (
  ev_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  org_id INT NOT NULL,
  ev_ttl VARCHAR(120) NOT NULL,
  st_dt DATETIME NOT NULL,
  en_dt DATETIME NULL,
  cap INT NULL
);
CREATE TABLE cust (
  cust_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  org_id INT NOT NULL,
  fst_nm VARCHAR(60) NULL,
  lst_nm VARCHAR(60) NULL,
  eml VARCHAR(120) NULL,
  pwd VARCHAR(60) NULL COMMENT 'secret',
  ph VARCHAR(30) NULL COMMENT 'secret',
  addr1 VARCHAR(80) NULL COMMENT 'secret',
  dob DATE NULL COMMENT 'secret'
);
CREATE TABLE reg (
  reg_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  org_id INT NOT NULL,
  ev_id INT NOT NULL,
  cust_id INT NOT NULL,
  reg_stat CHAR(1) NOT NULL,
  tkt_cd VARCHAR(20) NULL COMMENT 'secret',
  chk_in_dt DATETIME NULL,
  rmk TEXT NULL COMMENT 'secret',
  del_flg TINYINT(1) NOT NULL DEFAULT 0,
  crt_dt DATETIME NOT NULL,
  upd_dt DATETIME NOT NULL,
  crt_usr INT NULL,
  upd_usr INT NULL
);
CREATE TABLE inv (
  inv_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  org_id INT NOT NULL,
  cust_id INT NOT NULL,
  ev_id INT NULL,
  inv_no VARCHAR(20) NOT NULL,
  inv_dt DATE NOT NULL,
  due_dt DATE NULL,
  net_amt DECIMAL(12,2) NOT NULL,
  vat_amt DECIMAL(12,2) NOT NULL,
  tot_amt DECIMAL(12,2) NOT NULL,
  ccy CHAR(3) NOT NULL,
  inv_stat CHAR(1) NOT NULL,
  pd_dt DATE NULL,
  txn_ref VARCHAR(40) NULL COMMENT 'secret',
  del_flg TINYINT(1) NOT NULL DEFAULT 0,
  crt_dt DATETIME NOT NULL,
  upd_dt DATETIME NOT NULL
);
CREATE TABLE inv_ln (
  ln_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  inv_id INT NOT NULL,
  dsc VARCHAR(120) NOT NULL,
  qty INT NOT NULL,
  amt DECIMAL(12,2) NOT NULL
);
CREATE TABLE pmt (
  pmt_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  inv_id INT NOT NULL,
  amt DECIMAL(12,2) NOT NULL,
  pmt_dt DATETIME NOT NULL,
  card_no VARCHAR(20) NULL COMMENT 'secret'
);
CREATE TABLE usr (
  usr_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  org_id INT NOT NULL,
  usr_nm VARCHAR(40) NOT NULL,
  pwd_hash VARCHAR(80) NOT NULL COMMENT 'secret',
  sess_tok VARCHAR(80) NULL COMMENT 'secret'
);
CREATE TABLE reg_hist (
  hist_id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  reg_id INT NOT NULL,
  old_stat CHAR(1) NULL,
  new_stat CHAR(1) NULL,
  crt_dt DATETIME NOT NULL
);
INSERT INTO org VALUES (1, 'North', 'EUR', NULL), (2, 'South', 'USD', NULL);
INSERT INTO ev VALUES (1, 1, 'Run', '2026-05-01', NULL, 10), (2, 2, 'Ride', '2026-06-01', NULL, 10);
INSERT INTO cust VALUES (1, 1, 'Ada', 'Ames', 'ada@example.com', 'x', NULL, NULL, NULL), (2, 2, 'Bo', 'Brun', 'bo@example.com', 'x', NULL, NULL, NULL);
INSERT INTO reg (org_id, ev_id, cust_id, reg_stat, crt_dt, upd_dt) VALUES (1, 1, 1, 'C', '2026-01-01', '2026-01-01'), (2, 2, 2, 'X', '2026-01-02', '2026-01-02');
INSERT INTO inv (org_id, cust_id, ev_id, inv_no, inv_dt, net_amt, vat_amt, tot_amt, ccy, inv_stat, crt_dt, upd_dt) VALUES (1, 1, 1, 'I1', '2026-01-02', 10, 2, 12, 'EUR', 'O', '2026-01-02', '2026-01-02'), (2, 2, 2, 'I2', '2026-01-02', 20, 0, 20, 'USD', 'P', '2026-01-02', '2026-01-03');
