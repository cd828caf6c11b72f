-- Seminare einer Kammer: deutsche Namen mit Kürzeln, ein Belegkopf für Rechnungen und Gutschriften, Status als Wort.
CREATE TABLE tblVeranstalter (
  VeranstalterID INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  Bezeichnung VARCHAR(120) NOT NULL,
  Bankverbindung VARCHAR(60) NULL COMMENT 'secret'
);
CREATE TABLE tblSeminar (
  SeminarID INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  VeranstalterID INT NOT NULL,
  Titel VARCHAR(200) NOT NULL,
  Beginn DATETIME NOT NULL,
  Ende DATETIME NULL,
  MaxTeilnehmer INT NULL,
  Preis DECIMAL(10,2) NULL
);
CREATE TABLE tblPerson (
  PersonID INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  Anrede VARCHAR(10) NULL,
  Vorname VARCHAR(60) NOT NULL,
  Nachname VARCHAR(60) NOT NULL,
  EMail VARCHAR(120) NULL,
  Telefon VARCHAR(40) NULL COMMENT 'secret',
  Strasse VARCHAR(80) NULL COMMENT 'secret',
  PLZ VARCHAR(10) NULL COMMENT 'secret',
  GebDatum DATE NULL COMMENT 'secret',
  Kennwort VARCHAR(80) NULL COMMENT 'secret',
  SteuerID VARCHAR(20) NULL COMMENT 'secret'
);
CREATE TABLE tblAnmeldung (
  AnmeldungID INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  SeminarID INT NOT NULL,
  PersonID INT NOT NULL,
  Anmeldestatus VARCHAR(20) NOT NULL,
  Anwesend TINYINT(1) NOT NULL DEFAULT 0,
  AnwesendSeit DATETIME NULL,
  Bemerkung TEXT NULL COMMENT 'secret',
  Zugangscode VARCHAR(20) NULL COMMENT 'secret',
  Geloescht TINYINT(1) NOT NULL DEFAULT 0,
  ErfasstAm DATETIME NOT NULL,
  GeaendertAm DATETIME NOT NULL,
  GeaendertVon VARCHAR(30) NULL,
  CONSTRAINT anm_sem FOREIGN KEY (SeminarID) REFERENCES tblSeminar (SeminarID),
  CONSTRAINT anm_per FOREIGN KEY (PersonID) REFERENCES tblPerson (PersonID)
);
CREATE TABLE tblBeleg (
  BelegID INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  VeranstalterID INT NOT NULL,
  AnmeldungID INT NULL,
  Belegart VARCHAR(20) NOT NULL,
  BelegNr VARCHAR(20) NOT NULL,
  Belegdatum DATE NOT NULL,
  FaelligAm DATE NULL,
  NettoBetrag DECIMAL(12,2) NOT NULL,
  MwStBetrag DECIMAL(12,2) NOT NULL,
  BruttoBetrag DECIMAL(12,2) NOT NULL,
  Waehrung CHAR(3) NOT NULL,
  Belegstatus VARCHAR(20) NOT NULL,
  ZahlungsRef VARCHAR(40) NULL COMMENT 'secret',
  ErstelltAm DATETIME NOT NULL,
  GeaendertAm DATETIME NOT NULL,
  CONSTRAINT bel_anm FOREIGN KEY (AnmeldungID) REFERENCES tblAnmeldung (AnmeldungID)
);
CREATE TABLE tblBelegPosition (
  PositionID INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  BelegID INT NOT NULL,
  Text VARCHAR(200) NOT NULL,
  Betrag DECIMAL(12,2) NOT NULL
);
CREATE TABLE tblMitarbeiter (
  MitarbeiterID INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  Name VARCHAR(80) NOT NULL,
  EMail VARCHAR(120) NOT NULL,
  PasswortHash VARCHAR(80) NOT NULL COMMENT 'secret'
);
CREATE TABLE tblRechnung_alt (
  RechnungID INT NOT NULL PRIMARY KEY,
  RechnungsNr VARCHAR(20) NOT NULL,
  Datum DATE NOT NULL,
  Betrag DECIMAL(12,2) NOT NULL
);
INSERT INTO tblVeranstalter VALUES (1, 'Nord', NULL), (2, 'Süd', NULL);
INSERT INTO tblSeminar VALUES (1, 1, 'Recht', '2026-05-01', NULL, 20, 100), (2, 2, 'Steuern', '2026-06-01', NULL, 20, 200);
INSERT INTO tblPerson (PersonID, Vorname, Nachname, EMail) VALUES (1, 'Ada', 'Ames', 'ada@example.com'), (2, 'Bo', 'Brun', 'bo@example.com');
INSERT INTO tblAnmeldung (SeminarID, PersonID, Anmeldestatus, ErfasstAm, GeaendertAm) VALUES (1, 1, 'bestätigt', '2026-01-01', '2026-01-01'), (2, 2, 'Warteliste', '2026-01-02', '2026-01-02');
INSERT INTO tblBeleg (VeranstalterID, AnmeldungID, Belegart, BelegNr, Belegdatum, NettoBetrag, MwStBetrag, BruttoBetrag, Waehrung, Belegstatus, ErstelltAm, GeaendertAm) VALUES
 (1, 1, 'Rechnung', 'R1', '2026-01-02', 100, 19, 119, 'EUR', 'offen', '2026-01-02', '2026-01-02'), (2, 2, 'Rechnung', 'R2', '2026-01-02', 200, 38, 238, 'EUR', 'bezahlt', '2026-01-02', '2026-01-02'), (2, 2, 'Gutschrift', 'G1', '2026-01-03', -200, -38, -238, 'EUR', 'bezahlt', '2026-01-03', '2026-01-03');
