-- UUID version 7 (RFC 9562) of a row made by a statement: db/base/new-id.ts.
create function new_uuid(p_at timestamptz, p_place bigint) returns uuid language sql volatile parallel safe as $$
  select (lpad(to_hex(floor(extract(epoch from p_at) * 1000)::bigint + p_place / 4096), 12, '0') || '7' || lpad(to_hex(p_place % 4096), 3, '0')
    || substr(gen_random_uuid()::text, 20))::uuid
$$;
