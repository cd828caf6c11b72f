-- 400 attendees with an order each, of two accounts; every other order has an invoice.
INSERT INTO accounts (id, first_name, last_name, email) VALUES (41, 'Mara', 'Vogt', 'mara@example.com'), (42, 'Sam', 'Idris', 'sam@example.com');
INSERT INTO currencies (id, title, symbol_left, code, decimal_place, `value`) VALUES (1, 'Riyal', 'SR', 'SAR', 2, 1), (2, 'Yen', 'Y', 'JPY', 0, 1);
INSERT INTO order_statuses (id, name) VALUES (1, 'Completed'), (4, 'Cancelled'), (5, 'Awaiting Payment'), (6, 'completed');
INSERT INTO events (id, title, start_date, account_id, currency_id) VALUES
  (410, 'Fair', '2026-05-01 09:00:00', 41, 1), (411, 'Run', '2026-05-02 09:00:00', 41, 2), (420, 'Gala', '2026-05-03 09:00:00', 42, 1);
CREATE TABLE numbers (n INT PRIMARY KEY);
INSERT INTO numbers WITH RECURSIVE c (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < 399) SELECT n FROM c;
INSERT INTO orders (id, event_id, order_status_id, first_name, last_name, email, business_name, order_reference, amount, booking_fee, taxamt, is_invoiced, created_at, updated_at)
  SELECT 1000 + n, ELT(1 + n % 3, 410, 411, 420), ELT(1 + n % 4, 1, 4, 5, 6), CONCAT('Guest', n), ELT(1 + n % 3, 'Müller', 'García', 'O''Neill'), CONCAT('guest', n, '@example.com'),
    CONCAT('Business ', n), CONCAT('T-', 10000 + n), n * 1.5, IF(n % 6 = 0, NULL, 2.5), n % 10, n % 2,
    TIMESTAMP('2026-01-05 06:00:00') + INTERVAL n MINUTE, TIMESTAMP('2026-02-01 06:00:00') + INTERVAL n DIV 2 SECOND FROM numbers;
INSERT INTO attendees (id, order_id, event_id, ticket_id, private_reference_number, is_cancelled, is_refunded, has_arrived, arrival_time, created_at, updated_at, deleted_at)
  SELECT 5000 + (n * 7) % 401, 1000 + n, ELT(1 + n % 3, 410, 411, 420), 1, CONCAT('badge', n), n % 5 = 0, n % 10 = 0, n % 4 = 0, IF(n % 4 = 0, '2026-05-01 10:00:00', NULL),
    TIMESTAMP('2026-01-05 06:00:00') + INTERVAL n MINUTE, TIMESTAMP('2026-02-01 06:00:00') + INTERVAL n DIV 2 SECOND, IF(n % 20 = 19, '2026-03-01 00:00:00', NULL) FROM numbers;
DROP TABLE numbers;
