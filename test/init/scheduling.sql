-- A scheduling product of an ORM that keeps camel case: people are rows of a booking, times with three digits, an old table without rows.
CREATE TABLE `Team` (
  `id` INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  `name` VARCHAR(191) NOT NULL,
  `slug` VARCHAR(191) NULL UNIQUE,
  `createdAt` DATETIME(3) NOT NULL,
  `metadata` JSON NULL
);
CREATE TABLE `User` (
  `id` INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  `username` VARCHAR(191) NULL,
  `name` VARCHAR(191) NULL,
  `email` VARCHAR(191) NOT NULL UNIQUE,
  `password` VARCHAR(191) NULL COMMENT 'secret',
  `twoFactorSecret` VARCHAR(191) NULL COMMENT 'secret',
  `bio` TEXT NULL,
  `avatar` TEXT NULL,
  `timeZone` VARCHAR(191) NOT NULL,
  `createdDate` DATETIME(3) NOT NULL
);
CREATE TABLE `EventType` (
  `id` INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  `teamId` INT NOT NULL,
  `userId` INT NULL,
  `title` VARCHAR(191) NOT NULL,
  `slug` VARCHAR(191) NOT NULL,
  `length` INT NOT NULL,
  `price` INT NOT NULL,
  `currency` VARCHAR(191) NOT NULL,
  `hidden` TINYINT(1) NOT NULL,
  CONSTRAINT `et_team` FOREIGN KEY (`teamId`) REFERENCES `Team` (`id`)
);
CREATE TABLE `Session` (
  `id` VARCHAR(191) NOT NULL PRIMARY KEY,
  `sessionToken` VARCHAR(191) NOT NULL COMMENT 'secret',
  `userId` INT NOT NULL,
  `expires` DATETIME(3) NOT NULL
);
CREATE TABLE `Booking` (
  `id` INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  `uid` VARCHAR(191) NOT NULL UNIQUE,
  `idempotencyKey` VARCHAR(191) NULL UNIQUE COMMENT 'secret',
  `userId` INT NULL,
  `eventTypeId` INT NOT NULL,
  `title` VARCHAR(191) NOT NULL,
  `description` TEXT NULL,
  `startTime` DATETIME(3) NOT NULL,
  `endTime` DATETIME(3) NOT NULL,
  `location` VARCHAR(191) NULL,
  `status` ENUM('accepted','pending','cancelled','rejected') NOT NULL,
  `paid` TINYINT(1) NOT NULL DEFAULT 0,
  `cancellationReason` VARCHAR(191) NULL,
  `createdAt` DATETIME(3) NOT NULL,
  `updatedAt` DATETIME(3) NULL,
  CONSTRAINT `b_et` FOREIGN KEY (`eventTypeId`) REFERENCES `EventType` (`id`)
);
CREATE TABLE `Attendee` (
  `id` INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  `bookingId` INT NOT NULL,
  `email` VARCHAR(191) NOT NULL,
  `name` VARCHAR(191) NOT NULL,
  `timeZone` VARCHAR(191) NOT NULL,
  `phoneNumber` VARCHAR(191) NULL COMMENT 'secret',
  `locale` VARCHAR(191) NULL,
  `noShow` TINYINT(1) NOT NULL DEFAULT 0,
  `recordedAt` DATETIME(3) NOT NULL,
  `lastTouchedAt` DATETIME(3) NOT NULL,
  CONSTRAINT `a_b` FOREIGN KEY (`bookingId`) REFERENCES `Booking` (`id`)
);
CREATE TABLE `Invoice` (
  `id` INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  `teamId` INT NOT NULL,
  `number` VARCHAR(40) NOT NULL,
  `currency` CHAR(3) NOT NULL,
  `total` INT NOT NULL,
  `status` VARCHAR(20) NOT NULL,
  `createdAt` DATETIME(3) NOT NULL,
  `updatedAt` DATETIME(3) NOT NULL
);
CREATE TABLE `BillingDocument` (
  `id` CHAR(36) NOT NULL PRIMARY KEY,
  `teamId` INT NOT NULL,
  `bookingId` INT NULL,
  `docType` VARCHAR(20) NOT NULL,
  `docNumber` VARCHAR(40) NOT NULL,
  `docStatus` VARCHAR(20) NOT NULL,
  `totalCents` BIGINT NOT NULL,
  `taxCents` BIGINT NOT NULL,
  `currencyCode` CHAR(3) NOT NULL,
  `issuedOn` DATE NOT NULL,
  `payBefore` DATE NULL,
  `stripePaymentIntentId` VARCHAR(191) NULL COMMENT 'secret',
  `createdAt` DATETIME(3) NOT NULL,
  `updatedAt` DATETIME(3) NOT NULL,
  CONSTRAINT `bd_team` FOREIGN KEY (`teamId`) REFERENCES `Team` (`id`),
  CONSTRAINT `bd_b` FOREIGN KEY (`bookingId`) REFERENCES `Booking` (`id`)
);
CREATE TABLE `Payment` (
  `id` INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  `uid` VARCHAR(191) NOT NULL UNIQUE,
  `externalId` VARCHAR(191) NOT NULL UNIQUE COMMENT 'secret',
  `bookingId` INT NOT NULL,
  `amount` INT NOT NULL,
  `currency` VARCHAR(191) NOT NULL,
  `success` TINYINT(1) NOT NULL,
  `refunded` TINYINT(1) NOT NULL,
  `data` JSON NOT NULL COMMENT 'secret'
);
CREATE TABLE `ApiKey` (
  `id` VARCHAR(191) NOT NULL PRIMARY KEY,
  `userId` INT NOT NULL,
  `note` VARCHAR(191) NULL,
  `hashedKey` VARCHAR(191) NOT NULL UNIQUE COMMENT 'secret',
  `expiresAt` DATETIME(3) NULL
);
INSERT INTO `Team` VALUES (1, 'North', 'n', '2026-01-01', NULL), (2, 'South', 's', '2026-01-01', NULL);
INSERT INTO `User` VALUES (1, 'root', 'Root', 'root@example.com', NULL, NULL, NULL, NULL, 'UTC', '2026-01-01');
INSERT INTO `EventType` VALUES (1, 1, 1, 'Call', 'call', 30, 0, 'eur', 0), (2, 2, 1, 'Tour', 'tour', 60, 0, 'usd', 0);
INSERT INTO `Booking` VALUES (1, 'a', NULL, 1, 1, 'Call', NULL, '2026-05-01', '2026-05-01', NULL, 'accepted', 0, NULL, '2026-01-01', '2026-01-01'), (2, 'b', NULL, 1, 2, 'Tour', NULL, '2026-05-01', '2026-05-01', NULL, 'cancelled', 0, NULL, '2026-01-01', '2026-01-01');
INSERT INTO `Attendee` VALUES (1, 1, 'ada@example.com', 'Ada Ames', 'UTC', NULL, 'en', 0, '2026-01-01', '2026-01-01'), (2, 2, 'bo@example.com', 'Bo Brun', 'UTC', NULL, 'en', 0, '2026-01-01', '2026-01-01');
INSERT INTO `BillingDocument` VALUES ('d1', 1, 1, 'INVOICE', 'N-1', 'PAID', 1000, 190, 'EUR', '2026-01-01', NULL, NULL, '2026-01-01', '2026-01-01'), ('d2', 2, 2, 'INVOICE', 'S-1', 'OPEN', 2000, 0, 'USD', '2026-01-02', NULL, NULL, '2026-01-02', '2026-01-02'), ('d3', 2, 2, 'CREDIT_NOTE', 'S-2', 'PAID', -2000, 0, 'USD', '2026-01-02', NULL, NULL, '2026-01-02', '2026-01-02');
