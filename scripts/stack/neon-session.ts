import { connect } from "node:net";
import { Client, type Connection, type Submittable } from "pg";

/** A parameter is text or null, as the extended protocol takes it; Postgres infers its type. */
export interface Statement {
  text: string;
  params: (string | null)[];
}

export interface StatementResult {
  fields: unknown[];
  rows: (string | null)[][];
  /** The command tag, such as `INSERT 0 3`. */
  tag: string;
}

/** What Postgres last said of the connection: idle, in a transaction, in a failed one, or nothing since it was lost. */
export type SessionStatus = "I" | "T" | "E" | "lost";

export interface Outcome {
  results: StatementResult[];
  error: Error | null;
  /** More bytes came than the caller wanted; the rows were dropped. */
  tooLarge: boolean;
  status: SessionStatus;
  /** The protocol may be out of step, so that the session must not be used again. */
  spoiled: boolean;
}

/** One connection to Postgres, for one run at a time. */
export interface Session {
  /**
   * Sends all statements in one go, each through the extended protocol, and stops at the first that fails. One
   * round trip, whatever their number. Never rejects.
   */
  run(statements: readonly Statement[], maxBytes: number): Promise<Outcome>;
  /** Asks Postgres to give up the present run, again and again until it has ended. */
  cancel(): void;
  close(): void;
  isOpen(): boolean;
}

export interface SessionTarget {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

/** What `pg` has for its own query objects and its types leave out. */
interface WireConnection {
  stream: { cork(): void; uncork(): void };
  on(event: "readyForQuery", listener: (message: { status: SessionStatus }) => void): void;
  parse(message: { text: string }): void;
  bind(message: { values: (string | null)[] }): void;
  describe(message: { type: "P" }): void;
  execute(message?: object): void;
  sync(): void;
  sendCopyFail(message: string): void;
}

interface WireClient {
  connection: WireConnection;
  processID: number;
  secretKey: number;
}

const CANCEL_EVERY_MS = 100;
const MOST_CANCELS = 50;

/** Rejects with Postgres's own error (a `DatabaseError` with its code) when it refuses the login. */
export async function openSession(target: SessionTarget, onClose: () => void): Promise<Session> {
  const client = new Client({
    host: target.host,
    port: target.port,
    user: target.user,
    password: target.password,
    database: target.database,
    ssl: false,
  });
  const wire = client as unknown as WireClient;
  let running: ((status: SessionStatus) => void) | null = null;
  let open = false;

  const settle = (status: SessionStatus) => {
    const finish = running;
    running = null;
    finish?.(status);
  };
  client.on("error", () => (open = false));
  client.on("end", () => {
    open = false;
    settle("lost");
    onClose();
  });
  wire.connection.on("readyForQuery", ({ status }) => settle(status));
  await client.connect();
  open = true;

  return {
    run(statements, maxBytes) {
      return new Promise((resolve) => {
        const outcome: Outcome = {
          results: [],
          error: null,
          tooLarge: false,
          status: "lost",
          spoiled: false,
        };
        if (!open) {
          outcome.error = new Error("the connection to Postgres was lost");
          return resolve(outcome);
        }
        running = (status) => {
          outcome.status = status;
          resolve(outcome);
        };
        client.query(pipeline(statements, maxBytes, outcome));
      });
    },
    cancel() {
      const run = running;
      let left = MOST_CANCELS;
      const again = () => {
        if (run === null || running !== run || left-- === 0) return clearInterval(timer);
        sendCancel(target, wire.processID, wire.secretKey);
      };
      // The first request may come before the query has, and Postgres ignores it then.
      const timer = setInterval(again, CANCEL_EVERY_MS);
      timer.unref();
      again();
    },
    close() {
      open = false;
      void client.end();
    },
    isOpen: () => open,
  };
}

/** A query object for `pg` (its "submittable") that keeps Postgres's text as it came. */
function pipeline(
  statements: readonly Statement[],
  maxBytes: number,
  outcome: Outcome,
): Submittable {
  let current: StatementResult = { fields: [], rows: [], tag: "" };
  let bytes = 0;
  const finish = (tag: string) => {
    current.tag = tag;
    outcome.results.push(current);
    current = { fields: [], rows: [], tag: "" };
  };
  const query = {
    submit(connection: Connection) {
      const wire = connection as unknown as WireConnection;
      wire.stream.cork();
      for (const { text, params } of statements) {
        wire.parse({ text });
        wire.bind({ values: params });
        wire.describe({ type: "P" });
        wire.execute();
      }
      wire.sync();
      wire.stream.uncork();
    },
    handleRowDescription(message: { fields: unknown[] }) {
      current.fields = message.fields;
    },
    handleDataRow(message: { fields: (string | null)[]; length: number }) {
      bytes += message.length;
      if (bytes <= maxBytes) current.rows.push(message.fields);
      else outcome.tooLarge = true;
    },
    handleCommandComplete: (message: { text: string }) => finish(message.text),
    handleEmptyQuery: () => finish(""),
    handleCopyInResponse(connection: WireConnection) {
      // Postgres ignored the sync that was sent along while it waited for the copied data.
      connection.sendCopyFail("COPY FROM STDIN is not possible over HTTP");
      connection.sync();
      outcome.spoiled = true;
    },
    handleCopyData() {},
    handlePortalSuspended() {},
    handleReadyForQuery() {},
    handleError(error: Error) {
      outcome.error ??= error;
    },
  };
  return query;
}

/** The cancel request of the Postgres protocol travels over a connection of its own. */
function sendCancel(target: SessionTarget, processId: number, secretKey: number): void {
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt32BE(80877102, 4);
  request.writeInt32BE(processId, 8);
  request.writeInt32BE(secretKey, 12);
  const socket = connect(target.port, target.host);
  socket.on("error", () => {});
  socket.end(request);
}
