/*
 * The tables that plumecast keeps in a database, in a schema of their own. A migration is never changed once it was
 * released: another one follows.
 */

/** How changes are announced: `keys`, `key` and the hash of one, `locations`, `location` and the id of one. */
export const CHANNEL = 'plumecast';

/** What makes each version of the schema out of the one before; the first one makes version 1. */
export const MIGRATIONS: readonly string[] = [
  `
CREATE TABLE plumecast.keys (
  number bigint GENERATED ALWAYS AS IDENTITY,
  id text PRIMARY KEY,
  key_hash bytea NOT NULL UNIQUE CHECK (length(key_hash) = 32),
  owner text NOT NULL,
  downscaling boolean NOT NULL,
  demo boolean NOT NULL DEFAULT false,
  note text,
  created timestamptz NOT NULL DEFAULT now(),
  starts timestamptz,
  expires timestamptz,
  revoked timestamptz,
  replaced_by text,
  rate_requests bigint CHECK (rate_requests >= 1),
  rate_seconds double precision CHECK (rate_seconds > 0),
  daily_quota bigint CHECK (daily_quota >= 1),
  CHECK (starts IS NULL OR expires IS NULL OR starts < expires)
);

CREATE TABLE plumecast.locations (
  number bigint GENERATED ALWAYS AS IDENTITY,
  id text PRIMARY KEY,
  latitude double precision NOT NULL CHECK (latitude BETWEEN -90 AND 90),
  longitude double precision NOT NULL CHECK (longitude BETWEEN -180 AND 180),
  owner text
);

CREATE TABLE plumecast.usage (
  day date,
  key_id text,
  requests bigint NOT NULL,
  cost bigint NOT NULL,
  bytes bigint NOT NULL,
  last_used timestamptz NOT NULL,
  PRIMARY KEY (day, key_id)
);
CREATE INDEX usage_key_id ON plumecast.usage (key_id, day);

CREATE FUNCTION plumecast.announce_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('${CHANNEL}', 'key ' || encode(OLD.key_hash, 'hex'));
  RETURN NULL;
END $$;
CREATE FUNCTION plumecast.announce_location() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('${CHANNEL}', 'location ' || OLD.id);
  RETURN NULL;
END $$;
CREATE FUNCTION plumecast.announce_table() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('${CHANNEL}', TG_TABLE_NAME);
  RETURN NULL;
END $$;
CREATE TRIGGER key_changed AFTER UPDATE OR DELETE ON plumecast.keys
  FOR EACH ROW EXECUTE FUNCTION plumecast.announce_key();
CREATE TRIGGER location_changed AFTER UPDATE OR DELETE ON plumecast.locations
  FOR EACH ROW EXECUTE FUNCTION plumecast.announce_location();
CREATE TRIGGER keys_added AFTER INSERT OR TRUNCATE ON plumecast.keys
  FOR EACH STATEMENT EXECUTE FUNCTION plumecast.announce_table();
CREATE TRIGGER locations_added AFTER INSERT OR TRUNCATE ON plumecast.locations
  FOR EACH STATEMENT EXECUTE FUNCTION plumecast.announce_table();
`,
];
