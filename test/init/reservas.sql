-- A ticket shop in Spanish: sedes, funciones, entradas; amounts in cents; the sale is the bill; soft deletes by a date.
CREATE TABLE empresas (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  nombre VARCHAR(120) NOT NULL,
  cif VARCHAR(20) NULL COMMENT 'secret',
  direccion VARCHAR(200) NULL COMMENT 'secret',
  clave_api VARCHAR(64) NULL COMMENT 'secret'
);
CREATE TABLE usuarios (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  empresa_id INT UNSIGNED NOT NULL,
  correo VARCHAR(160) NOT NULL,
  contrasena VARCHAR(255) NOT NULL COMMENT 'secret',
  remember_token VARCHAR(100) NULL COMMENT 'secret',
  creado_en DATETIME NOT NULL,
  actualizado_en DATETIME NOT NULL
);
CREATE TABLE eventos (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  empresa_id INT UNSIGNED NOT NULL,
  titulo VARCHAR(200) NOT NULL,
  fecha_inicio DATETIME NOT NULL,
  fecha_fin DATETIME NULL,
  aforo INT NOT NULL,
  lugar VARCHAR(200) NULL,
  eliminado_en DATETIME NULL,
  creado_en DATETIME NOT NULL,
  actualizado_en DATETIME NOT NULL,
  CONSTRAINT fk_eventos_empresa FOREIGN KEY (empresa_id) REFERENCES empresas (id)
);
CREATE TABLE tipos_entrada (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  evento_id INT UNSIGNED NOT NULL,
  nombre VARCHAR(80) NOT NULL,
  precio_centimos INT NOT NULL,
  cantidad INT NOT NULL
);
CREATE TABLE ventas (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  empresa_id INT UNSIGNED NOT NULL,
  evento_id INT UNSIGNED NOT NULL,
  numero_factura VARCHAR(30) NULL,
  fecha_factura DATE NULL,
  cliente_nombre VARCHAR(160) NOT NULL,
  cliente_correo VARCHAR(160) NOT NULL,
  cliente_telefono VARCHAR(30) NULL COMMENT 'secret',
  cliente_dni VARCHAR(20) NULL COMMENT 'secret',
  importe_total DECIMAL(12,2) NOT NULL,
  iva DECIMAL(12,2) NOT NULL,
  moneda CHAR(3) NOT NULL,
  estado VARCHAR(20) NOT NULL,
  id_transaccion VARCHAR(80) NULL,
  eliminado_en DATETIME NULL,
  creado_en DATETIME NOT NULL,
  actualizado_en DATETIME NOT NULL,
  CONSTRAINT fk_ventas_evento FOREIGN KEY (evento_id) REFERENCES eventos (id),
  CONSTRAINT fk_ventas_empresa FOREIGN KEY (empresa_id) REFERENCES empresas (id)
);
CREATE TABLE entradas (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  venta_id INT UNSIGNED NOT NULL,
  tipo_entrada_id INT UNSIGNED NOT NULL,
  evento_id INT UNSIGNED NOT NULL,
  codigo_qr VARCHAR(64) NOT NULL COMMENT 'secret',
  nombre VARCHAR(80) NOT NULL,
  apellidos VARCHAR(120) NOT NULL,
  correo VARCHAR(160) NOT NULL,
  estado ENUM('reservada', 'pagada', 'anulada') NOT NULL,
  hora_entrada DATETIME NULL,
  eliminado_en DATETIME NULL,
  creado_en DATETIME NOT NULL,
  actualizado_en DATETIME NOT NULL,
  CONSTRAINT fk_entradas_venta FOREIGN KEY (venta_id) REFERENCES ventas (id),
  CONSTRAINT fk_entradas_evento FOREIGN KEY (evento_id) REFERENCES eventos (id)
);
CREATE TABLE migraciones (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  nombre VARCHAR(200) NOT NULL
);
INSERT INTO empresas (id, nombre) VALUES (1, 'Norte'), (2, 'Sur');
INSERT INTO eventos (id, empresa_id, titulo, fecha_inicio, aforo, creado_en, actualizado_en) VALUES
  (1, 1, 'Feria', '2026-05-01 18:00:00', 100, '2026-01-01', '2026-01-01'), (2, 2, 'Gala', '2026-06-01 18:00:00', 50, '2026-01-01', '2026-01-01');
INSERT INTO tipos_entrada VALUES (1, 1, 'General', 1000, 100), (2, 2, 'General', 2000, 50);
INSERT INTO ventas (id, empresa_id, evento_id, numero_factura, fecha_factura, cliente_nombre, cliente_correo, importe_total, iva, moneda, estado, id_transaccion, creado_en, actualizado_en) VALUES
  (1, 1, 1, 'F-1', '2026-01-02', 'Ada Ames', 'ada@example.com', 12.10, 2.10, 'EUR', 'pagada', 'tx1', '2026-01-02', '2026-01-02'),
  (2, 2, 2, 'F-2', '2026-01-03', 'Bo Brun', 'bo@example.com', 24.20, 4.20, 'EUR', 'pendiente', 'tx2', '2026-01-03', '2026-01-03'),
  (3, 2, 2, 'F-3', '2026-01-04', 'Cy Cruz', 'cy@example.com', 24.20, 4.20, 'EUR', 'anulada', 'tx3', '2026-01-04', '2026-01-04');
INSERT INTO entradas (venta_id, tipo_entrada_id, evento_id, codigo_qr, nombre, apellidos, correo, estado, creado_en, actualizado_en) VALUES
  (1, 1, 1, 'q1', 'Ada', 'Ames', 'ada@example.com', 'pagada', '2026-01-02', '2026-01-02'),
  (2, 2, 2, 'q2', 'Bo', 'Brun', 'bo@example.com', 'reservada', '2026-01-03', '2026-01-03'),
  (3, 2, 2, 'q3', 'Cy', 'Cruz', 'cy@example.com', 'anulada', '2026-01-04', '2026-01-04');
