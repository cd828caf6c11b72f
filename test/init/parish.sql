-- A church's management product with the conventions of .NET: a registration has registrants, a registrant is an alias of a person, each
-- row has a Guid and foreign ids, and money is given or paid, never invoiced.
CREATE TABLE Campus (Id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, Name VARCHAR(100) NOT NULL, ShortCode VARCHAR(50) NULL, IsActive TINYINT(1) NULL, PhoneNumber VARCHAR(20) NULL COMMENT 'secret', Guid CHAR(36) NOT NULL UNIQUE);
CREATE TABLE DefinedValue (Id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, DefinedTypeId INT NOT NULL, Value VARCHAR(250) NOT NULL, Description TEXT NULL, IsActive TINYINT(1) NOT NULL, Guid CHAR(36) NOT NULL UNIQUE);
CREATE TABLE Person (
  Id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, IsSystem TINYINT(1) NOT NULL, RecordStatusValueId INT NULL, IsDeceased TINYINT(1) NOT NULL,
  FirstName VARCHAR(50) NULL, NickName VARCHAR(50) NULL, MiddleName VARCHAR(50) NULL, LastName VARCHAR(50) NULL, PhotoId INT NULL,
  BirthDay INT NULL COMMENT 'secret', BirthYear INT NULL COMMENT 'secret', BirthDate DATE NULL COMMENT 'secret', Gender INT NOT NULL, MaritalStatusValueId INT NULL, GraduationYear INT NULL,
  Email VARCHAR(75) NULL, IsEmailActive TINYINT(1) NOT NULL, EmailNote VARCHAR(250) NULL, EmailPreference INT NOT NULL, GivingGroupId INT NULL, PrimaryCampusId INT NULL,
  SystemNote VARCHAR(1000) NULL, CreatedDateTime DATETIME NULL, ModifiedDateTime DATETIME NULL, CreatedByPersonAliasId INT NULL, ModifiedByPersonAliasId INT NULL, Guid CHAR(36) NOT NULL UNIQUE, ForeignKey VARCHAR(100) NULL,
  FOREIGN KEY (PrimaryCampusId) REFERENCES Campus (Id), FOREIGN KEY (RecordStatusValueId) REFERENCES DefinedValue (Id)
);
CREATE TABLE PersonAlias (Id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, Name VARCHAR(200) NULL, PersonId INT NOT NULL, AliasPersonId INT NULL UNIQUE, AliasPersonGuid CHAR(36) NULL UNIQUE, InternalMessages TEXT NULL, Guid CHAR(36) NOT NULL UNIQUE, FOREIGN KEY (PersonId) REFERENCES Person (Id));
CREATE TABLE UserLogin (Id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, UserName VARCHAR(255) NOT NULL UNIQUE, Password VARCHAR(128) NULL COMMENT 'secret', ApiKey VARCHAR(50) NULL COMMENT 'secret', IsConfirmed TINYINT(1) NULL, LastLoginDateTime DATETIME NULL, PersonId INT NULL, CreatedDateTime DATETIME NULL, ModifiedDateTime DATETIME NULL, Guid CHAR(36) NOT NULL UNIQUE, FOREIGN KEY (PersonId) REFERENCES Person (Id));
CREATE TABLE PhoneNumber (Id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, PersonId INT NOT NULL, Number VARCHAR(20) NOT NULL COMMENT 'secret', NumberFormatted VARCHAR(50) NULL COMMENT 'secret', IsMessagingEnabled TINYINT(1) NOT NULL, FOREIGN KEY (PersonId) REFERENCES Person (Id));
CREATE TABLE RegistrationTemplate (
  Id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, Name VARCHAR(100) NOT NULL, CategoryId INT NULL, IsActive TINYINT(1) NOT NULL, RegistrationTerm VARCHAR(100) NULL, Cost DECIMAL(18,2) NOT NULL, MinimumInitialPayment DECIMAL(18,2) NULL,
  AllowMultipleRegistrants TINYINT(1) NOT NULL, WaitListEnabled TINYINT(1) NOT NULL, ConfirmationEmailTemplate TEXT NULL, ConfirmationFromEmail VARCHAR(200) NULL, CreatedDateTime DATETIME NULL, ModifiedDateTime DATETIME NULL, Guid CHAR(36) NOT NULL UNIQUE
);
CREATE TABLE RegistrationInstance (
  Id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, Name VARCHAR(100) NOT NULL, RegistrationTemplateId INT NOT NULL, StartDateTime DATETIME NULL, EndDateTime DATETIME NULL, MaxAttendees INT NULL, AccountId INT NULL, Cost DECIMAL(18,2) NULL,
  IsActive TINYINT(1) NOT NULL, ContactPersonAliasId INT NULL, ContactPhone VARCHAR(200) NULL COMMENT 'secret', ContactEmail VARCHAR(200) NULL, CreatedDateTime DATETIME NULL, ModifiedDateTime DATETIME NULL, Guid CHAR(36) NOT NULL UNIQUE,
  FOREIGN KEY (RegistrationTemplateId) REFERENCES RegistrationTemplate (Id)
);
CREATE TABLE Registration (
  Id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, RegistrationInstanceId INT NOT NULL, PersonAliasId INT NULL, FirstName VARCHAR(50) NULL, LastName VARCHAR(50) NULL, ConfirmationEmail VARCHAR(75) NULL, GroupId INT NULL,
  DiscountCode VARCHAR(100) NULL COMMENT 'secret', DiscountPercentage DECIMAL(18,2) NOT NULL, DiscountAmount DECIMAL(18,2) NOT NULL, IsTemporary TINYINT(1) NOT NULL DEFAULT 0, LastPaymentReminderDateTime DATETIME NULL,
  CreatedDateTime DATETIME NULL, ModifiedDateTime DATETIME NULL, CreatedByPersonAliasId INT NULL, ModifiedByPersonAliasId INT NULL, Guid CHAR(36) NOT NULL UNIQUE, ForeignKey VARCHAR(100) NULL,
  FOREIGN KEY (RegistrationInstanceId) REFERENCES RegistrationInstance (Id), FOREIGN KEY (PersonAliasId) REFERENCES PersonAlias (Id)
);
CREATE TABLE RegistrationRegistrant (
  Id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, RegistrationId INT NOT NULL, PersonAliasId INT NULL, GroupMemberId INT NULL, OnWaitList TINYINT(1) NOT NULL DEFAULT 0, Cost DECIMAL(18,2) NOT NULL, DiscountApplies TINYINT(1) NOT NULL,
  CreatedDateTime DATETIME NULL, ModifiedDateTime DATETIME NULL, CreatedByPersonAliasId INT NULL, ModifiedByPersonAliasId INT NULL, Guid CHAR(36) NOT NULL UNIQUE, ForeignKey VARCHAR(100) NULL,
  FOREIGN KEY (RegistrationId) REFERENCES Registration (Id), FOREIGN KEY (PersonAliasId) REFERENCES PersonAlias (Id)
);
CREATE TABLE RegistrationRegistrantFee (Id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, RegistrationRegistrantId INT NOT NULL, RegistrationTemplateFeeId INT NOT NULL, Quantity INT NOT NULL, `Option` VARCHAR(100) NULL, Cost DECIMAL(18,2) NOT NULL, Guid CHAR(36) NOT NULL UNIQUE, FOREIGN KEY (RegistrationRegistrantId) REFERENCES RegistrationRegistrant (Id));
CREATE TABLE FinancialAccount (Id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, Name VARCHAR(50) NOT NULL, IsTaxDeductible TINYINT(1) NOT NULL, GlCode VARCHAR(50) NULL, CampusId INT NULL, Guid CHAR(36) NOT NULL UNIQUE, FOREIGN KEY (CampusId) REFERENCES Campus (Id));
CREATE TABLE FinancialTransaction (Id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, AuthorizedPersonAliasId INT NULL, BatchId INT NULL, TransactionDateTime DATETIME NULL, TransactionCode VARCHAR(50) NULL COMMENT 'secret', Summary TEXT NULL, TransactionTypeValueId INT NOT NULL, Status VARCHAR(200) NULL, StatusMessage VARCHAR(200) NULL, CheckMicrEncrypted TEXT NULL COMMENT 'secret', CreatedDateTime DATETIME NULL, ModifiedDateTime DATETIME NULL, Guid CHAR(36) NOT NULL UNIQUE, FOREIGN KEY (AuthorizedPersonAliasId) REFERENCES PersonAlias (Id));
CREATE TABLE FinancialTransactionDetail (Id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, TransactionId INT NOT NULL, AccountId INT NOT NULL, Amount DECIMAL(18,2) NOT NULL, Summary TEXT NULL, EntityTypeId INT NULL, EntityId INT NULL, Guid CHAR(36) NOT NULL UNIQUE, FOREIGN KEY (TransactionId) REFERENCES FinancialTransaction (Id), FOREIGN KEY (AccountId) REFERENCES FinancialAccount (Id));
CREATE TABLE Attendance (Id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, OccurrenceId INT NOT NULL, CampusId INT NULL, PersonAliasId INT NULL, DeviceId INT NULL, StartDateTime DATETIME NOT NULL, EndDateTime DATETIME NULL, RSVP INT NOT NULL, DidAttend TINYINT(1) NULL, Note TEXT NULL, Guid CHAR(36) NOT NULL UNIQUE, FOREIGN KEY (PersonAliasId) REFERENCES PersonAlias (Id));
CREATE TABLE AttributeValue (Id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, AttributeId INT NOT NULL, EntityId INT NULL, Value LONGTEXT NULL COMMENT 'secret', Guid CHAR(36) NOT NULL UNIQUE);
INSERT INTO Campus (Name, Guid) VALUES ('Main', UUID()), ('North', UUID());
INSERT INTO DefinedValue (DefinedTypeId, Value, IsActive, Guid) VALUES (4, 'Active', 1, UUID()), (4, 'Inactive', 1, UUID()), (25, 'Contribution', 1, UUID());
INSERT INTO Person (IsSystem, RecordStatusValueId, IsDeceased, FirstName, NickName, LastName, Gender, Email, IsEmailActive, EmailPreference, PrimaryCampusId, CreatedDateTime, ModifiedDateTime, Guid)
  WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 40)
  SELECT 0, 1, 0, CONCAT('Robert', i), CONCAT('Bob', i), CONCAT('Lane', i), i % 3, CONCAT('bob', i, '@example.com'), 1, 0, 1 + i % 2, '2025-01-01', '2025-02-01', UUID() FROM n;
INSERT INTO PersonAlias (Name, PersonId, AliasPersonId, Guid) SELECT NULL, Id, Id, UUID() FROM Person;
INSERT INTO UserLogin (UserName, Password, PersonId, Guid) VALUES ('admin', 'x', 1, UUID()), ('clerk', 'x', 2, UUID());
INSERT INTO PhoneNumber (PersonId, Number, IsMessagingEnabled) SELECT Id, '5550100', 0 FROM Person WHERE Id < 12;
INSERT INTO RegistrationTemplate (Name, IsActive, Cost, AllowMultipleRegistrants, WaitListEnabled, Guid) VALUES ('Camp', 1, 100, 1, 1, UUID());
INSERT INTO RegistrationInstance (Name, RegistrationTemplateId, StartDateTime, EndDateTime, MaxAttendees, Cost, IsActive, Guid) VALUES ('Summer camp', 1, '2026-01-01', '2026-06-01', 30, 100, 1, UUID()), ('Winter camp', 1, '2026-01-01', '2026-10-01', 30, 90, 1, UUID());
INSERT INTO Registration (RegistrationInstanceId, PersonAliasId, FirstName, LastName, ConfirmationEmail, DiscountPercentage, DiscountAmount, CreatedDateTime, ModifiedDateTime, Guid) SELECT 1 + Id % 2, Id, FirstName, LastName, Email, 0, 0, '2026-02-01' + INTERVAL Id HOUR, '2026-02-02' + INTERVAL Id HOUR, UUID() FROM Person WHERE Id <= 20;
INSERT INTO RegistrationRegistrant (RegistrationId, PersonAliasId, OnWaitList, Cost, DiscountApplies, CreatedDateTime, ModifiedDateTime, Guid) SELECT 1 + Id % 20, Id, Id % 7 = 0, 100, 0, '2026-02-01' + INTERVAL Id HOUR, '2026-02-02' + INTERVAL Id HOUR, UUID() FROM Person;
INSERT INTO RegistrationRegistrantFee (RegistrationRegistrantId, RegistrationTemplateFeeId, Quantity, Cost, Guid) SELECT Id, 1, 1, 10, UUID() FROM RegistrationRegistrant WHERE Id < 15;
INSERT INTO FinancialAccount (Name, IsTaxDeductible, Guid) VALUES ('General', 1, UUID()), ('Camps', 0, UUID());
INSERT INTO FinancialTransaction (AuthorizedPersonAliasId, TransactionDateTime, TransactionCode, TransactionTypeValueId, Status, CreatedDateTime, ModifiedDateTime, Guid) SELECT Id, '2026-02-03', 'ch_1', 3, 'Complete', '2026-02-03', '2026-02-03', UUID() FROM PersonAlias WHERE Id <= 25;
INSERT INTO FinancialTransactionDetail (TransactionId, AccountId, Amount, EntityId, Guid) SELECT Id, 2, 50, Id, UUID() FROM FinancialTransaction;
INSERT INTO Attendance (OccurrenceId, CampusId, PersonAliasId, StartDateTime, RSVP, DidAttend, Guid) SELECT 1, 1, Id, '2026-03-01', 3, Id % 2, UUID() FROM PersonAlias;
INSERT INTO AttributeValue (AttributeId, EntityId, Value, Guid) SELECT 1, Id, 'x', UUID() FROM Person;
