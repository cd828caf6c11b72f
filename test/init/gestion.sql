-- An ERP with French names: entities, third parties, invoices sent and received, a bank, conferences, a prefix.
CREATE TABLE gst_societe (
  rowid INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  nom VARCHAR(128) NULL,
  entity INT NOT NULL DEFAULT 1,
  email VARCHAR(128) NULL,
  address VARCHAR(255) NULL COMMENT 'secret',
  zip VARCHAR(25) NULL COMMENT 'secret',
  town VARCHAR(50) NULL COMMENT 'secret',
  phone VARCHAR(30) NULL COMMENT 'secret',
  siren VARCHAR(128) NULL COMMENT 'secret',
  tva_intra VARCHAR(20) NULL COMMENT 'secret',
  multicurrency_code VARCHAR(3) NULL,
  datec DATETIME NULL,
  tms TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP
);
CREATE TABLE gst_bank_account (
  rowid INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  ref VARCHAR(12) NOT NULL,
  label VARCHAR(50) NOT NULL,
  entity INT NOT NULL DEFAULT 1,
  bank VARCHAR(60) NULL,
  number VARCHAR(255) NULL,
  bic VARCHAR(11) NULL COMMENT 'secret',
  iban_prefix VARCHAR(34) NULL COMMENT 'secret',
  currency_code VARCHAR(3) NOT NULL,
  datec DATETIME NULL,
  tms TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP
);
CREATE TABLE gst_user (
  rowid INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  entity INT NOT NULL DEFAULT 1,
  login VARCHAR(50) NOT NULL,
  pass_crypted VARCHAR(128) NULL COMMENT 'secret',
  api_key VARCHAR(128) NULL COMMENT 'secret',
  lastname VARCHAR(50) NULL,
  firstname VARCHAR(50) NULL,
  email VARCHAR(255) NULL,
  user_mobile VARCHAR(20) NULL COMMENT 'secret',
  national_registration_number VARCHAR(50) NULL COMMENT 'secret'
);
CREATE TABLE gst_facture (
  rowid INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  ref VARCHAR(30) NOT NULL,
  entity INT NOT NULL DEFAULT 1,
  ref_ext VARCHAR(255) NULL,
  ref_client VARCHAR(255) NULL,
  type SMALLINT NOT NULL DEFAULT 0,
  fk_soc INT NOT NULL,
  datec DATETIME NULL,
  datef DATE NULL,
  date_valid DATE NULL,
  tms TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  paye SMALLINT NOT NULL DEFAULT 0,
  remise_percent DOUBLE NULL DEFAULT 0,
  close_code VARCHAR(16) NULL,
  total_tva DOUBLE(24,8) NULL DEFAULT 0,
  total_ht DOUBLE(24,8) NULL DEFAULT 0,
  total_ttc DOUBLE(24,8) NULL DEFAULT 0,
  fk_statut SMALLINT NOT NULL DEFAULT 0 COMMENT '0=draft, 1=validated, 2=paid, 3=abandoned',
  fk_user_author INT NULL,
  fk_user_valid INT NULL,
  fk_projet INT NULL,
  fk_account INT NULL,
  fk_currency VARCHAR(3) NULL,
  date_lim_reglement DATE NULL,
  note_private TEXT NULL,
  multicurrency_code VARCHAR(3) NULL,
  multicurrency_total_ttc DOUBLE(24,8) NULL DEFAULT 0,
  UNIQUE KEY uk_ref (ref, entity),
  KEY soc (fk_soc),
  CONSTRAINT fk_facture_soc FOREIGN KEY (fk_soc) REFERENCES gst_societe (rowid),
  CONSTRAINT fk_facture_bank FOREIGN KEY (fk_account) REFERENCES gst_bank_account (rowid)
);
CREATE TABLE gst_facturedet (
  rowid INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  fk_facture INT NOT NULL,
  description TEXT NULL,
  qty DOUBLE NULL,
  subprice DOUBLE(24,8) NULL,
  total_ttc DOUBLE(24,8) NULL,
  CONSTRAINT fk_det_facture FOREIGN KEY (fk_facture) REFERENCES gst_facture (rowid)
);
CREATE TABLE gst_facture_fourn (
  rowid INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  ref VARCHAR(180) NOT NULL,
  ref_supplier VARCHAR(180) NULL,
  entity INT NOT NULL DEFAULT 1,
  fk_soc INT NOT NULL,
  datec DATETIME NULL,
  datef DATE NULL,
  tms TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  total_ttc DOUBLE(24,8) NULL,
  fk_statut SMALLINT NOT NULL DEFAULT 0,
  date_lim_reglement DATE NULL,
  multicurrency_code VARCHAR(3) NULL
);
CREATE TABLE gst_facture_fourn_det (
  rowid INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  fk_facture_fourn INT NOT NULL,
  qty DOUBLE NULL,
  total_ttc DOUBLE(24,8) NULL
);
CREATE TABLE gst_propal (
  rowid INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  ref VARCHAR(30) NOT NULL,
  entity INT NOT NULL DEFAULT 1,
  fk_soc INT NULL,
  datec DATETIME NULL,
  fin_validite DATETIME NULL,
  tms TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  fk_statut SMALLINT NOT NULL DEFAULT 0,
  total_ttc DOUBLE(24,8) NULL
);
CREATE TABLE gst_congres (
  rowid INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  entity INT NOT NULL DEFAULT 1,
  titre VARCHAR(255) NOT NULL,
  date_debut DATETIME NULL,
  date_fin DATETIME NULL,
  lieu VARCHAR(128) NULL,
  max_participants INT NULL,
  tms TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP
);
CREATE TABLE gst_congres_participant (
  rowid INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  ref VARCHAR(128) NOT NULL,
  fk_soc INT NULL,
  fk_congres INT NULL,
  prenom VARCHAR(255) NULL,
  nom VARCHAR(255) NULL,
  courriel VARCHAR(255) NULL,
  telephone VARCHAR(30) NULL COMMENT 'secret',
  amount DOUBLE NULL,
  date_inscription DATETIME NULL,
  arrivee_le DATETIME NULL,
  annule SMALLINT NOT NULL DEFAULT 0,
  date_creation DATETIME NOT NULL,
  tms TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  fk_user_creat INT NULL,
  cle_acces VARCHAR(64) NULL COMMENT 'secret',
  CONSTRAINT fk_part_congres FOREIGN KEY (fk_congres) REFERENCES gst_congres (rowid)
);
CREATE TABLE gst_const (
  rowid INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(180) NOT NULL,
  entity INT NOT NULL DEFAULT 1,
  value TEXT NOT NULL,
  type VARCHAR(64) NULL,
  tms TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP
);
CREATE TABLE gst_oauth_token (
  rowid INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  service VARCHAR(36) NULL,
  token TEXT NULL COMMENT 'secret',
  tokenstring TEXT NULL COMMENT 'secret',
  entity INT NOT NULL DEFAULT 1
);
INSERT INTO gst_societe (rowid, nom, entity, email, datec) VALUES (1, 'Ames', 1, 'a@example.com', '2026-01-01'), (2, 'Brun', 2, 'b@example.com', '2026-01-01');
INSERT INTO gst_facture (ref, entity, type, fk_soc, datec, datef, total_tva, total_ht, total_ttc, fk_statut, date_lim_reglement, multicurrency_code) VALUES
  ('FA2601-1', 1, 0, 1, '2026-01-01 09:00:00', '2026-01-01', 20, 100, 120, 1, '2026-02-01', 'EUR'),
  ('FA2601-2', 1, 0, 1, '2026-01-02 09:00:00', '2026-01-02', 20, 100, 120, 2, '2026-02-02', 'EUR'),
  ('FA2601-3', 2, 0, 2, '2026-01-03 09:00:00', '2026-01-03', 2, 10, 12, 0, '2026-02-03', 'USD');
INSERT INTO gst_facturedet (fk_facture, qty, subprice, total_ttc) VALUES (1, 1, 100, 120), (2, 1, 100, 120), (3, 1, 10, 12);
INSERT INTO gst_facture_fourn (ref, entity, fk_soc, datef, total_ttc) VALUES ('SI1', 1, 2, '2026-01-01', 5), ('SI2', 1, 2, '2026-01-02', 6);
INSERT INTO gst_congres (rowid, entity, titre, date_debut) VALUES (1, 1, 'Vin', '2026-04-01'), (2, 2, 'Pain', '2026-05-01');
INSERT INTO gst_congres_participant (ref, fk_congres, prenom, nom, courriel, date_creation) VALUES
  ('P1', 1, 'Ada', 'Ames', 'ada@example.com', '2026-01-01'), ('P2', 2, 'Bo', 'Brun', 'bo@example.com', '2026-01-02'), ('P3', 2, 'Cy', 'Cruz', 'cy@example.com', '2026-01-03');
