-- A product for adult education in German: clients (Mandanten), courses, people, enrolments and bills, camel case.
CREATE TABLE Mandant (
  mandantId INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  bezeichnung VARCHAR(120) NOT NULL,
  steuernummer VARCHAR(20) NULL COMMENT 'secret',
  iban VARCHAR(34) NULL COMMENT 'secret'
);
CREATE TABLE Benutzer (
  benutzerId INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  mandantId INT NOT NULL,
  anmeldename VARCHAR(60) NOT NULL,
  passwort VARCHAR(255) NOT NULL COMMENT 'secret',
  email VARCHAR(120) NOT NULL,
  CONSTRAINT fk_benutzer_mandant FOREIGN KEY (mandantId) REFERENCES Mandant (mandantId)
);
CREATE TABLE Kurs (
  kursId INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  mandantId INT NOT NULL,
  titel VARCHAR(200) NOT NULL,
  beginn DATETIME NOT NULL,
  ende DATETIME NOT NULL,
  plaetze INT NOT NULL,
  ort VARCHAR(120) NULL,
  preis DECIMAL(10,2) NOT NULL,
  erstelltAm DATETIME NOT NULL,
  geaendertAm DATETIME NOT NULL,
  CONSTRAINT fk_kurs_mandant FOREIGN KEY (mandantId) REFERENCES Mandant (mandantId)
);
CREATE TABLE Person (
  personId INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  mandantId INT NOT NULL,
  anrede VARCHAR(10) NULL,
  vorname VARCHAR(80) NOT NULL,
  nachname VARCHAR(80) NOT NULL,
  email VARCHAR(120) NULL,
  telefon VARCHAR(40) NULL COMMENT 'secret',
  strasse VARCHAR(120) NULL COMMENT 'secret',
  plz VARCHAR(10) NULL COMMENT 'secret',
  ort VARCHAR(80) NULL COMMENT 'secret',
  geburtsdatum DATE NULL,
  CONSTRAINT fk_person_mandant FOREIGN KEY (mandantId) REFERENCES Mandant (mandantId)
);
CREATE TABLE Buchungsvorgang (
  buchungsvorgangId INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  kursId INT NOT NULL,
  personId INT NOT NULL,
  erfassungBenutzerId INT NULL,
  stand ENUM('angefragt', 'bestaetigt', 'storniert') NOT NULL,
  anwesend TINYINT(1) NOT NULL DEFAULT 0,
  bemerkung TEXT NULL,
  geloeschtAm DATETIME NULL,
  erstelltAm DATETIME NOT NULL,
  geaendertAm DATETIME NOT NULL,
  CONSTRAINT fk_buchung_kurs FOREIGN KEY (kursId) REFERENCES Kurs (kursId),
  CONSTRAINT fk_buchung_person FOREIGN KEY (personId) REFERENCES Person (personId)
);
CREATE TABLE Rechnung (
  rechnungId INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  mandantId INT NOT NULL,
  personId INT NOT NULL,
  buchungsvorgangId INT NULL,
  rechnungsnummer VARCHAR(30) NOT NULL,
  rechnungsdatum DATE NOT NULL,
  faelligAm DATE NULL,
  betragNetto DECIMAL(12,2) NOT NULL,
  betragBrutto DECIMAL(12,2) NOT NULL,
  mwst DECIMAL(12,2) NOT NULL,
  waehrung CHAR(3) NOT NULL DEFAULT 'EUR',
  bezahltAm DATETIME NULL,
  storniertAm DATETIME NULL,
  istEntwurf TINYINT(1) NOT NULL DEFAULT 0,
  leitwegId VARCHAR(40) NULL,
  xrechnungXml MEDIUMTEXT NULL COMMENT 'secret',
  erstelltAm DATETIME NOT NULL,
  geaendertAm DATETIME NOT NULL,
  UNIQUE KEY nummer (rechnungsnummer),
  CONSTRAINT fk_rechnung_mandant FOREIGN KEY (mandantId) REFERENCES Mandant (mandantId),
  CONSTRAINT fk_rechnung_person FOREIGN KEY (personId) REFERENCES Person (personId),
  CONSTRAINT fk_rechnung_buchung FOREIGN KEY (buchungsvorgangId) REFERENCES Buchungsvorgang (buchungsvorgangId)
);
CREATE TABLE Rechnungsposition (
  rechnungspositionId INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  rechnungId INT NOT NULL,
  text VARCHAR(200) NOT NULL,
  menge DECIMAL(8,2) NOT NULL,
  einzelpreis DECIMAL(12,2) NOT NULL,
  CONSTRAINT fk_position_rechnung FOREIGN KEY (rechnungId) REFERENCES Rechnung (rechnungId)
);
CREATE TABLE Sitzung (
  sitzungId INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  benutzerId INT NOT NULL,
  sessionKey CHAR(40) NOT NULL COMMENT 'secret',
  ipAdresse VARCHAR(45) NULL COMMENT 'secret',
  gueltigBis DATETIME NOT NULL
);
INSERT INTO Mandant (mandantId, bezeichnung) VALUES (1, 'Nord'), (2, 'Sued');
INSERT INTO Kurs VALUES (1, 1, 'Yoga', '2026-03-01 18:00:00', '2026-06-01 19:00:00', 12, 'Kiel', 90, '2026-01-01', '2026-01-01'),
  (2, 2, 'Chor', '2026-03-02 18:00:00', '2026-06-02 19:00:00', 30, 'Ulm', 40, '2026-01-01', '2026-01-01');
INSERT INTO Person (personId, mandantId, vorname, nachname, email) VALUES (1, 1, 'Ada', 'Ames', 'ada@example.com'), (2, 2, 'Bo', 'Brun', 'bo@example.com');
INSERT INTO Buchungsvorgang (kursId, personId, stand, erstelltAm, geaendertAm) VALUES
  (1, 1, 'bestaetigt', '2026-01-02', '2026-01-02'), (2, 2, 'angefragt', '2026-01-03', '2026-01-03'), (2, 1, 'storniert', '2026-01-03', '2026-01-04');
INSERT INTO Rechnung (mandantId, personId, buchungsvorgangId, rechnungsnummer, rechnungsdatum, faelligAm, betragNetto, betragBrutto, mwst, erstelltAm, geaendertAm) VALUES
  (1, 1, 1, '2026-1', '2026-01-05', '2026-02-05', 75.63, 90.00, 14.37, '2026-01-05', '2026-01-05'),
  (2, 2, 2, '2026-2', '2026-01-06', '2026-02-06', 33.61, 40.00, 6.39, '2026-01-06', '2026-01-06');
INSERT INTO Rechnungsposition (rechnungId, text, menge, einzelpreis) VALUES (1, 'Yoga', 1, 90), (2, 'Chor', 1, 40);
