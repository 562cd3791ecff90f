/** The least that a deployment is configured with. */
export const ENVIRONMENT = {
  PUBLIC_BASE_URL: "https://api.example.com/",
  DATABASE_URL: "postgres://u:p@host/db",
  UPSTASH_REDIS_REST_URL: "https://redis.example.com",
  UPSTASH_REDIS_REST_TOKEN: "t",
  QSTASH_TOKEN: "t",
  QSTASH_CURRENT_SIGNING_KEY: "a",
  QSTASH_NEXT_SIGNING_KEY: "b",
  MASTER_KEY: Buffer.alloc(32).toString("base64"),
  TRACKING_SECRET: "0123456789abcdef",
  JWT_ISSUER: "https://login.example.com",
  JWT_SECRET: "0123456789abcdef0123456789abcdef",
};
