import { readFileSync } from "node:fs";
import * as path from "node:path";
import { rootFolder } from "../command.ts";

export interface WorkerdConfigOptions {
  /** The bundle's one module. */
  bundle: string;
  /** Names of environment variables that become text bindings. */
  bindings: string[];
  /** host:port of the static files; without it there is no ASSETS binding. */
  assetsAddress?: string | undefined;
  /** A queue's binding, and host:port of who takes its messages. */
  queue?: { binding: string; address: string } | undefined;
  /** Bindings of other Workers, and host:port of each. */
  services?: Record<string, string> | undefined;
  /** PEM of authorities that the Worker trusts besides the usual ones. */
  caCertificates: string[];
  /** Whether the bundle exports `events` for the stack. */
  hasEvents: boolean;
}

const text = (value: string) => JSON.stringify(value);

/** The compatibility settings of the deployment, so that both run the same. */
export function readCompatibility(): { date: string; flags: string[] } {
  const toml = readFileSync(path.join(rootFolder, "wrangler.toml"), "utf8");
  const date = /^compatibility_date\s*=\s*"([^"]+)"/m.exec(toml)?.[1];
  const flags = /^compatibility_flags\s*=\s*\[([^\]]*)\]/m.exec(toml)?.[1] ?? "";
  if (date === undefined) throw new Error("wrangler.toml has no compatibility_date");
  return { date, flags: [...flags.matchAll(/"([^"]+)"/g)].flatMap(([, flag]) => flag ?? []) };
}

/**
 * workerd's own configuration (Cap'n Proto text). Bindings come from the environment, so that no secret is written to
 * a file. The Worker may reach loopback, where the whole stack is, and trusts the stack's authority.
 */
export function workerdConfig(options: WorkerdConfigOptions): string {
  const { date, flags } = readCompatibility();
  const bindings = options.bindings.map(
    (name) => `(name = ${text(name)}, fromEnvironment = ${text(name)})`,
  );
  if (options.assetsAddress) bindings.push('(name = "ASSETS", service = "assets")');
  const { queue } = options;
  const others = Object.entries(options.services ?? {});
  for (const [name] of others)
    bindings.push(`(name = ${text(name)}, service = ${text(name.toLowerCase())})`);
  if (queue) bindings.push(`(name = ${text(queue.binding)}, queue = "queues")`);
  const services = [
    '(name = "main", worker = .main)',
    '(name = "internet", network = .internet)',
    ...(options.assetsAddress
      ? [`(name = "assets", external = (address = ${text(options.assetsAddress)}, http = ()))`]
      : []),
    ...others.map(
      ([name, address]) =>
        `(name = ${text(name.toLowerCase())}, external = (address = ${text(address)}, http = ()))`,
    ),
    ...(queue
      ? [`(name = "queues", external = (address = ${text(queue.address)}, http = ()))`]
      : []),
  ];
  const sockets = [
    '(name = "http", address = "127.0.0.1:0", http = (), service = "main")',
    ...(options.hasEvents
      ? [
          '(name = "events", address = "127.0.0.1:0", http = (), service = (name = "main", entrypoint = "events"))',
        ]
      : []),
  ];
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    ${services.join(",\n    ")}
  ],
  sockets = [
    ${sockets.join(",\n    ")}
  ]
);

const main :Workerd.Worker = (
  modules = [(name = ${text(path.basename(options.bundle))}, esModule = embed ${text(path.basename(options.bundle))})],
  compatibilityDate = ${text(date)},
  compatibilityFlags = [${flags.map(text).join(", ")}],
  bindings = [
    ${bindings.join(",\n    ")}
  ],
  globalOutbound = "internet"
);

const internet :Workerd.Network = (
  allow = ["public", "private"],
  tlsOptions = (
    trustBrowserCas = true,
    trustedCertificates = [${options.caCertificates.map(text).join(", ")}]
  )
);
`;
}
