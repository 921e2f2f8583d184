-- Tables of your own for database.mjs. A hash is 64 hexadecimal digits, of hashKey.
CREATE TABLE api_keys (
  hash text PRIMARY KEY,
  id text NOT NULL UNIQUE,
  owner text NOT NULL,
  fine boolean NOT NULL DEFAULT false,
  expires timestamptz,
  per_minute integer
);

CREATE TABLE fields (
  id text PRIMARY KEY,
  latitude double precision NOT NULL,
  longitude double precision NOT NULL,
  owner text
);

CREATE UNLOGGED TABLE buckets (key_id text PRIMARY KEY, tokens double precision NOT NULL, at timestamptz NOT NULL);

-- Fills the bucket of a key for the time that has passed, and takes a token where there is one.
CREATE FUNCTION take_token(key text, size double precision, seconds double precision,
                           OUT tokens_left double precision, OUT wait_seconds double precision) AS $$
DECLARE filled double precision;
BEGIN
  INSERT INTO buckets VALUES (key, size, clock_timestamp()) ON CONFLICT DO NOTHING;
  SELECT least(size, tokens + extract(epoch FROM clock_timestamp() - at) * size / seconds)
    INTO filled FROM buckets WHERE key_id = key FOR UPDATE;
  tokens_left := CASE WHEN filled >= 1 THEN filled - 1 ELSE filled END;
  wait_seconds := CASE WHEN filled >= 1 THEN 0 ELSE (1 - filled) * seconds / size END;
  UPDATE buckets SET tokens = tokens_left, at = clock_timestamp() WHERE key_id = key;
END $$ LANGUAGE plpgsql;
