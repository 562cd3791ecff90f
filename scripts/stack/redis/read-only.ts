import { RedisError } from "./reply.ts";

/** What of the commands here changes nothing. */
const READS = new Set(
  (
    "GET MGET GETRANGE SUBSTR STRLEN EXISTS TTL PTTL EXPIRETIME PEXPIRETIME TYPE KEYS SCAN RANDOMKEY HGET HMGET " +
    "HGETALL HKEYS HVALS HLEN HEXISTS HSCAN SMEMBERS SISMEMBER SMISMEMBER SCARD SSCAN SUNION SINTER SDIFF LRANGE " +
    "LLEN LINDEX ZRANGE ZREVRANGE ZRANGEBYSCORE ZREVRANGEBYSCORE ZCARD ZSCORE ZMSCORE ZCOUNT ZRANK ZREVRANK ZSCAN " +
    "PING ECHO DBSIZE TIME"
  ).split(" "),
);

/** What the read-only token of an Upstash database is refused. */
export function refuseWrites(words: string[]): void {
  const name = words[0] ?? "";
  if (READS.has(name.toUpperCase())) return;
  throw new RedisError(
    `NOPERM this user has no permissions to run the '${name.toLowerCase()}' command`,
  );
}
