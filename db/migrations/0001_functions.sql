-- The share by which a lane's gap is lengthened after its n-th action: [0, 0.3).
-- Twin of jitterOf in src/domain/campaigns/chance.ts.
create function lane_jitter(lane uuid, slot_no bigint) returns double precision
language sql immutable parallel safe as $$
  with a as (select (('x' || right(lane::text, 8))::bit(32)::bigint # ((slot_no & 4294967295) * 1540483477 & 4294967295)) as h),
       b as (select (h # (h >> 15)) * 1540483477 & 4294967295 as h from a),
       c as (select (h # (h >> 13)) * 1540483477 & 4294967295 as h from b)
  select (h # (h >> 16)) / 4294967296.0 * 0.3 from c
$$;
