DROP SCHEMA IF EXISTS trade CASCADE;
CREATE SCHEMA trade;
SET search_path = trade;
CREATE TABLE categories (category_id smallint PRIMARY KEY, category_name varchar(15) NOT NULL, description text, picture bytea);
CREATE TABLE customers (customer_id bpchar PRIMARY KEY, company_name varchar(40) NOT NULL, city varchar(15), country varchar(15), phone varchar(24));
CREATE TABLE employees (
  employee_id smallint PRIMARY KEY, last_name varchar(20) NOT NULL, birth_date date, hire_date date, reports_to smallint REFERENCES employees, photo bytea);
CREATE TABLE products (
  product_id smallint PRIMARY KEY, product_name varchar(40) NOT NULL, category_id smallint REFERENCES categories, unit_price real,
  units_in_stock smallint, discontinued integer NOT NULL);
CREATE TABLE orders (
  order_id smallint PRIMARY KEY, customer_id bpchar REFERENCES customers, employee_id smallint REFERENCES employees, order_date date,
  required_date date, shipped_date date, freight real, ship_country varchar(15));
CREATE TABLE order_details (
  order_id smallint NOT NULL REFERENCES orders, product_id smallint NOT NULL REFERENCES products, unit_price real NOT NULL,
  quantity smallint NOT NULL, discount real NOT NULL, PRIMARY KEY (order_id, product_id));
CREATE TABLE us_states (state_id smallint NOT NULL, state_name varchar(100));
CREATE TABLE customer_demographics (customer_type_id bpchar NOT NULL PRIMARY KEY, customer_desc text);
INSERT INTO categories SELECT i, 'Category ' || i, 'Text', '\x00' FROM generate_series(1, 8) i;
INSERT INTO customers SELECT 'C' || lpad(i::text, 4, '0'), 'Company ' || i, 'City ' || i % 9, (ARRAY['Chile', 'Kenya', NULL])[1 + i % 3] FROM generate_series(1, 30) i;
INSERT INTO employees SELECT i, 'Name ' || i, date '1970-01-01' + i * 100, date '2010-01-01' + i, nullif(i, 1) / 2 FROM generate_series(1, 9) i;
UPDATE employees SET reports_to = NULL WHERE reports_to = 0;
INSERT INTO products SELECT i, 'Product ' || i, 1 + i % 8, i * 0.7, i, i % 2 FROM generate_series(1, 40) i;
INSERT INTO orders SELECT i, 'C' || lpad((1 + i % 30)::text, 4, '0'), 1 + i % 9, CASE WHEN i % 8 > 0 THEN date '2026-01-01' + i % 11 END, date '2026-03-01', NULL, i * 1.3, 'Chile' FROM generate_series(1, 60) i;
INSERT INTO order_details SELECT 1 + i % 60, 1 + i % 40, 1.5, i % 7, 0 FROM generate_series(1, 100) i ON CONFLICT DO NOTHING;
INSERT INTO us_states SELECT i, 'State ' || i FROM generate_series(1, 20) i;
CREATE VIEW order_subtotals AS SELECT order_id, sum(unit_price * quantity) AS subtotal FROM order_details GROUP BY order_id;
CREATE VIEW order_lines AS SELECT d.*, p.product_name FROM order_details d JOIN products p USING (product_id);
RESET search_path;
