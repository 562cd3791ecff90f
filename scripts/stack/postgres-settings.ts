/** What the local server is started with. */
export const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "100",
  shared_buffers: "128MB",
  timezone: "UTC",
  log_timezone: "UTC",
  autovacuum_vacuum_scale_factor: "0.05",
  autovacuum_analyze_scale_factor: "0.05",
  // A backend whose client has gone stops within this time instead of finishing its query.
  client_connection_check_interval: "1s",
  // Nothing replicates from here.
  wal_level: "minimal",
  max_wal_senders: "0",
  // The queries are short: compiling them, or handing their reads to worker processes, costs more than it saves.
  jit: "off",
  io_method: "sync",
} as const;

/** Loses data when the machine goes down, not when the server does. */
export const EPHEMERAL_SETTINGS = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  // Two and more test processes share it, each with gateways that keep sessions open.
  max_connections: "300",
} as const;
