-- One of everything that tables of others have and models do not.
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE TYPE mood AS ENUM ('sad', 'ok', 'it''s fine');
CREATE TYPE "Odd-Kind" AS ENUM ('NC-17', '17', '+', '', 'class', 'a b', 'A-B');
CREATE TYPE elsewhere_mood AS ENUM ('x');
CREATE DOMAIN positive AS integer CHECK (VALUE > 0);
CREATE SCHEMA elsewhere;
CREATE TABLE elsewhere.place (id bigserial PRIMARY KEY);

CREATE TABLE "Weird Names" (
    "Key" bigserial PRIMARY KEY,
    "select" text DEFAULT E'tab\tand "quote" \\ slash',
    "two words" integer NOT NULL DEFAULT -1,
    "2nd" text,
    "isDeleted" boolean NOT NULL DEFAULT false,
    id text,
    "Ümlaut" text
);
COMMENT ON TABLE "Weird Names" IS E'Two lines:\n*/ and """ and \\(x)';

CREATE TABLE data (
    id bigserial PRIMARY KEY,
    feeling mood,
    temper mood NOT NULL DEFAULT 'it''s fine',
    kinds "Odd-Kind"[] NOT NULL DEFAULT '{}',
    level positive NOT NULL DEFAULT 1,
    search tsvector,
    span int4range,
    "when" date,
    at time(0),
    lasts interval,
    made date NOT NULL DEFAULT CURRENT_DATE,
    holidays date[] NOT NULL DEFAULT '{}',
    host inet,
    hardware macaddr,
    networks cidr[],
    zoned timetz,
    stamps timestamp[],
    price money,
    document json,
    letters varchar(3)[],
    double_price integer GENERATED ALWAYS AS (2) STORED,
    place_id bigint REFERENCES elsewhere.place,
    room integer,
    during tstzrange,
    EXCLUDE USING gist (room WITH =, during WITH &&)
);
CREATE INDEX data_partial ON data (room) WHERE room > 1;
CREATE INDEX data_expression ON data ((room + 1));
CREATE INDEX data_descending ON data (room DESC);

CREATE TABLE country (code char(2) PRIMARY KEY, name text NOT NULL);
CREATE TABLE city (
    id serial PRIMARY KEY,
    country_code char(2) NOT NULL REFERENCES country,
    name text NOT NULL,
    UNIQUE (name) DEFERRABLE
);
CREATE TABLE sight (
    id serial PRIMARY KEY,
    city_name text,
    city_id integer REFERENCES city ON DELETE CASCADE
);
CREATE UNIQUE INDEX city_pair ON city (id, name);
CREATE TABLE visit (
    id bigserial PRIMARY KEY,
    city_id integer NOT NULL,
    city_name text NOT NULL,
    FOREIGN KEY (city_id, city_name) REFERENCES city (id, name)
);

-- A key of three columns, whose index for the way back says nothing new.
CREATE TABLE seat (
    note text,
    visit_id bigint NOT NULL REFERENCES visit ON DELETE CASCADE,
    hall varchar(20) NOT NULL DEFAULT 'main',
    "row" smallint NOT NULL,
    PRIMARY KEY (visit_id, "row", hall)
);
CREATE UNIQUE INDEX seat_way_back ON seat (hall, "row", visit_id);

CREATE TABLE no_key (line text);
CREATE TABLE with_uuid (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text);
CREATE TABLE uses_uuid (id bigserial PRIMARY KEY, with_uuid_id uuid REFERENCES with_uuid);
CREATE TABLE numbered (
    "number" integer PRIMARY KEY,
    with_uuid_id uuid NOT NULL REFERENCES with_uuid ON DELETE CASCADE,
    label text NOT NULL
);
CREATE TABLE marks (
    with_uuid_id uuid NOT NULL REFERENCES with_uuid ON DELETE CASCADE,
    "number" integer NOT NULL REFERENCES numbered ON DELETE CASCADE,
    PRIMARY KEY (with_uuid_id, "number")
);

-- Tables that require each other, and rows of them that could only be made at once.
CREATE TABLE shop (id serial PRIMARY KEY, manager_id integer NOT NULL, name text NOT NULL);
CREATE TABLE clerk (id serial PRIMARY KEY, shop_id integer NOT NULL REFERENCES shop, name text NOT NULL);
ALTER TABLE shop ADD FOREIGN KEY (manager_id) REFERENCES clerk;

-- Names that differ in the case of letters only.
CREATE TABLE "Mixed" (id serial PRIMARY KEY);
CREATE TABLE mixed (id serial PRIMARY KEY);

CREATE TABLE reading (taken_at timestamptz NOT NULL, value real, PRIMARY KEY (taken_at)) PARTITION BY RANGE (taken_at);
CREATE TABLE reading_2024 PARTITION OF reading FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');

-- A key that tables share: of the server's numbers, of those again, and of UUIDs.
CREATE TABLE account (id bigserial PRIMARY KEY, login text NOT NULL);
CREATE TABLE profile (id bigint PRIMARY KEY REFERENCES account ON DELETE CASCADE, bio text);
CREATE TABLE profile_photo (profile_id integer PRIMARY KEY REFERENCES profile ON DELETE CASCADE, pixels integer NOT NULL);
CREATE TABLE uuid_note (id uuid PRIMARY KEY DEFAULT gen_random_uuid() REFERENCES with_uuid ON DELETE CASCADE, body text NOT NULL);

-- Many to many within one class, and trees.
CREATE TABLE member (id bigserial PRIMARY KEY, parent_id bigint REFERENCES member, name text NOT NULL);
CREATE TABLE follows (
    follower_id bigint NOT NULL REFERENCES member ON DELETE CASCADE,
    followed_id bigint NOT NULL REFERENCES member ON DELETE CASCADE,
    PRIMARY KEY (follower_id, followed_id)
);

-- Keys of text, as codes are; and one whose collation takes different texts for the same.
CREATE TABLE currency (
    code varchar(3) PRIMARY KEY,
    name text NOT NULL,
    replaced_by varchar(3) REFERENCES currency ON DELETE SET NULL
);
CREATE TABLE price (
    id bigserial PRIMARY KEY,
    currency_code varchar(3) NOT NULL REFERENCES currency ON DELETE CASCADE,
    amount integer NOT NULL
);
CREATE TABLE market (mic text PRIMARY KEY DEFAULT 'XXXX', name text NOT NULL);
CREATE TABLE market_currency (
    market_mic text NOT NULL REFERENCES market ON DELETE CASCADE,
    currency_code varchar(3) NOT NULL REFERENCES currency ON DELETE CASCADE,
    PRIMARY KEY (market_mic, currency_code)
);

-- Objects are told apart by what foreign keys lead to: a ledger by its number, and not by its code.
CREATE TABLE ledger (
    id serial NOT NULL UNIQUE,
    code text PRIMARY KEY,
    name text NOT NULL
);
CREATE TABLE entry (
    id bigserial PRIMARY KEY,
    ledger_id integer NOT NULL REFERENCES ledger (id),
    amount numeric(12, 2) NOT NULL
);
-- Without a primary key, by what is unique and never NULL.
CREATE TABLE coupon (issuer text NOT NULL, "number" integer NOT NULL, note text);
CREATE UNIQUE INDEX coupon_number ON coupon (issuer, "number");

CREATE TABLE badge (mark integer NOT NULL, color text);
CREATE UNIQUE INDEX badge_mark ON badge (mark DESC) INCLUDE (color);

-- A foreign key that compares more than the key: the team has to be of the same club.
CREATE TABLE team (
    id serial PRIMARY KEY,
    club text NOT NULL,
    UNIQUE (id, club)
);
CREATE TABLE player (
    id serial PRIMARY KEY,
    club text NOT NULL,
    team_id integer NOT NULL,
    other_club text,
    other_team_id integer,
    FOREIGN KEY (team_id, club) REFERENCES team (id, club) ON DELETE CASCADE,
    FOREIGN KEY (other_team_id, other_club) REFERENCES team (id, club)
);

-- Parts of keys of other types, a part that a sequence gives, and what leads there.
CREATE TABLE rate (
    currency char(3),
    day date,
    digest bytea,
    rate numeric,
    PRIMARY KEY (currency, day, digest)
);
CREATE TABLE quote (
    id bigserial PRIMARY KEY,
    currency char(3),
    day date,
    digest bytea,
    FOREIGN KEY (currency, day, digest) REFERENCES rate ON DELETE SET NULL
);
CREATE TABLE tariff (
    code integer,
    valid_to timestamp DEFAULT 'infinity',
    "number" serial,
    price integer,
    PRIMARY KEY (code, valid_to, "number")
);

-- Tables that inherit have rows of their own.
CREATE TABLE notice (id serial PRIMARY KEY, line text NOT NULL);
CREATE TABLE log (id serial PRIMARY KEY, line text NOT NULL);
CREATE TABLE log_2024 (CHECK (id > 1000), PRIMARY KEY (id)) INHERITS (log);
CREATE TABLE city_notice (city_id integer NOT NULL REFERENCES city ON DELETE CASCADE, PRIMARY KEY (id)) INHERITS (notice);

CREATE VIEW cities_by_country AS SELECT country_code, count(*) FROM city GROUP BY 1;

INSERT INTO "Weird Names" ("2nd", id, "Ümlaut") SELECT 'b' || n, 'c', 'ü' FROM generate_series(1, 3) AS n;
INSERT INTO data (feeling, level, room) SELECT 'ok', n, n FROM generate_series(1, 3) AS n;
UPDATE data SET feeling = 'sad', kinds = '{17,"",NC-17}', "when" = '0044-03-15 BC', at = '24:00', lasts = '-1 mon 3 days -00:00:00.5',
    host = '192.168.0.1/24', hardware = '08:00:2b:01:02:03', networks = '{10.0.0.0/8,::1/128}', document = '{"b": 1, "a": [2, null]}',
    letters = '{abc,d}', stamps = '{2024-01-01 12:00:00.5,infinity}', holidays = '{infinity,0001-01-01 BC}' WHERE id = 1;
INSERT INTO country VALUES ('de', 'Germany'), ('fr', 'France');
INSERT INTO city (country_code, name) VALUES ('de', 'Jena'), ('fr', 'Lyon');
INSERT INTO sight (city_name, city_id) VALUES ('Jena', 1), ('Lyon', 2), (NULL, NULL);
INSERT INTO visit (city_id, city_name) VALUES (1, 'Jena');
INSERT INTO seat VALUES ('window', 1, 'main', -3), (NULL, 1, 'side, "left"', 7);
INSERT INTO account (login) VALUES ('a'), ('b');
INSERT INTO profile VALUES (1, 'hello');
INSERT INTO profile_photo VALUES (1, 64);
INSERT INTO member (parent_id, name) VALUES (NULL, 'root'), (1, 'leaf'), (1, 'twig');
INSERT INTO follows VALUES (1, 2), (2, 1), (3, 1);
INSERT INTO uses_uuid DEFAULT VALUES;
INSERT INTO with_uuid (id, name) VALUES ('018f0000-0000-7000-8000-000000000001', 'first');
INSERT INTO uses_uuid (with_uuid_id) SELECT id FROM with_uuid;
INSERT INTO uuid_note SELECT id, 'seen' FROM with_uuid;
INSERT INTO numbered SELECT 7, id, 'seven' FROM with_uuid;
INSERT INTO marks SELECT id, 7 FROM with_uuid;
WITH new AS (INSERT INTO shop (id, manager_id, name) VALUES (1, 1, 'corner') RETURNING id)
    INSERT INTO clerk (id, shop_id, name) SELECT 1, id, 'Kim' FROM new;
SELECT setval('shop_id_seq', 1), setval('clerk_id_seq', 1);
INSERT INTO currency VALUES ('EUR', 'Euro', NULL), ('DEM', 'Mark', 'EUR'), ('FRF', 'Franc', 'EUR');
INSERT INTO price (currency_code, amount) SELECT c, n FROM unnest(ARRAY['EUR', 'DEM']) AS c, generate_series(1, 3) AS n;
INSERT INTO market VALUES ('XETR', 'Xetra'), ('XPAR', 'Paris');
INSERT INTO market_currency VALUES ('XETR', 'EUR'), ('XETR', 'DEM'), ('XPAR', 'EUR');
INSERT INTO ledger (code, name) VALUES ('4400', 'Sales'), ('1200', 'Bank');
INSERT INTO entry (ledger_id, amount) VALUES (1, 9.50), (2, -9.50);
INSERT INTO coupon VALUES ('shop', 7, 'half'), ('shop', 8, NULL), ('mall', 7, NULL);
INSERT INTO team (club) VALUES ('Jena'), ('Gera');
INSERT INTO player (club, team_id, other_club, other_team_id) VALUES ('Jena', 1, 'Gera', 2);
INSERT INTO rate VALUES ('EUR', '2024-01-15', '\x0aff', 1.25), ('EU', 'infinity', '\x', NULL), ('DM', '0044-03-15 BC', '\x22', 2);
INSERT INTO quote (currency, day, digest) VALUES ('EUR', '2024-01-15', '\x0aff'), ('EU', 'infinity', '\x'), (NULL, NULL, NULL);
INSERT INTO tariff VALUES (1, DEFAULT, 1, 10), (1, '2024-01-15 12:34:56.789012', 2, 20);
INSERT INTO badge VALUES (7, 'red');
INSERT INTO log VALUES (1, 'one');
INSERT INTO log_2024 VALUES (1001, 'two');
INSERT INTO notice (line) VALUES ('closed');
INSERT INTO city_notice (line, city_id) VALUES ('open', 1);
