import * as z from "zod";

const port = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback);
const hostName = z
  .string()
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, "must be a full host name in lower case");

const environment = z.object({
  PROBER_SECRET: z.string().min(16, "must be at least 16 characters"),
  PROBER_EHLO_NAME: hostName,
  PROBER_SENDER: z.email(),
  PROBER_LISTEN_HOST: z.string().default("127.0.0.1"),
  PROBER_LISTEN_PORT: port(8025),
  PROBER_CONCURRENCY: z.coerce.number().int().min(1).max(1_000).default(50),
  PROBER_INTERVAL_MS: z.coerce.number().int().min(0).max(10_000).default(1_000),
  PROBE_PORT: port(25),
  ALLOW_LOOPBACK: z.enum(["true", "false"]).default("false"),
  DNS_RESOLVER_URLS: z
    .string()
    .default("https://cloudflare-dns.com/dns-query,https://dns.google/resolve")
    .transform((text) => text.split(",").map((one) => one.trim()))
    .pipe(z.array(z.url()).min(1).max(4)),
});

export interface ProberSettings {
  secret: string;
  ehloName: string;
  sender: string;
  listen: { host: string; port: number };
  /** Probes at a time; more are answered 503. */
  concurrency: number;
  /** Milliseconds between two new connections to one address. */
  intervalMs: number;
  probePort: number;
  loopback: boolean;
  resolverUrls: string[];
}

/** Throws with every fault at once, each naming its variable. */
export function readSettings(env: Record<string, string | undefined>): ProberSettings {
  const parsed = environment.safeParse(env);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(
      ({ path, message }) => `  ${path.join(".")}: ${message}`,
    );
    throw new Error(`The prober's environment is incomplete or wrong:\n${faults.join("\n")}`);
  }
  const { data } = parsed;
  return {
    secret: data.PROBER_SECRET,
    ehloName: data.PROBER_EHLO_NAME,
    sender: data.PROBER_SENDER,
    listen: { host: data.PROBER_LISTEN_HOST, port: data.PROBER_LISTEN_PORT },
    concurrency: data.PROBER_CONCURRENCY,
    intervalMs: data.PROBER_INTERVAL_MS,
    probePort: data.PROBE_PORT,
    loopback: data.ALLOW_LOOPBACK === "true",
    resolverUrls: data.DNS_RESOLVER_URLS,
  };
}
