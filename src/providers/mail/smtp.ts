import type { Dial, OutgoingRaw, SendResult, SmtpCredentials, Transport } from "./index.ts";
import { checkAccount } from "./smtp-check.ts";
import {
  openSmtpSession,
  SmtpOpenError,
  type SmtpSession,
  type SmtpTimeouts,
} from "./smtp-client.ts";
import { connectionLost } from "./smtp-verdict.ts";

export interface SmtpPoolOptions {
  dial: Dial;
  ehloName: string;
  /** Sockets open at once over all accounts. Workers allow 6 per invocation, and one is for the database. */
  maxConnections?: number;
  /** Sockets open at once to one account; submission servers limit them per login. */
  maxPerAccount?: number;
  timeouts?: Partial<SmtpTimeouts>;
  /** How long an account test may take as a whole, 20 s if absent. */
  checkMs?: number;
  /** See `SmtpSessionOptions`. */
  idleMs?: number;
}

const CHECK_MS = 20_000;

/** Shorter than RFC 5321 asks, but for the reply after the dot: a tick must end, and an account can wait. */
const tickTimeouts: Partial<SmtpTimeouts> = {
  connect: 10_000,
  greeting: 20_000,
  command: 30_000,
  dataStart: 30_000,
  dataBlock: 60_000,
  final: 120_000,
  quit: 1_000,
};

/** For an account check that a user waits for; leaves time for a second try at a silent server. */
const checkTimeouts: Partial<SmtpTimeouts> = {
  ...tickTimeouts,
  connect: 8_000,
  greeting: 12_000,
  command: 12_000,
};

interface Lane {
  credentials: SmtpCredentials;
  /** Open sockets, idle ones included. */
  open: number;
  idle: SmtpSession[];
  /** How many sockets the account may have; falls when its server refuses one more. */
  limit: number;
  /** Its server cannot do CHUNKING, or a message got lost by it: DATA leaves fewer in doubt. */
  byData: boolean;
  /** The account could not be opened: a wrong password or a dead host is not tried twice in one tick. */
  failed?: SmtpOpenError;
}

/**
 * Sessions shared within one tick by (host, port, security, credential). `send` never throws. It
 * makes one attempt, and a second one on a fresh connection only where the server had closed an
 * idle session before it took MAIL, or offered CHUNKING and did not know BDAT. An account that cannot
 * be opened is not tried again. Sockets belong to the invocation that opened them: make one pool per
 * tick and `close` it.
 */
export function createSmtpPool(options: SmtpPoolOptions): Transport<SmtpCredentials> {
  const { dial, ehloName, maxConnections = 5, maxPerAccount = 2 } = options;
  const lanes = new Map<string, Lane>();
  const waiters: (() => void)[] = [];
  let open = 0;
  let closed = false;

  function laneFor(credentials: SmtpCredentials): Lane {
    const { host, port, security, username, password, accessToken } = credentials;
    const key = JSON.stringify([host, port, security, username, password, accessToken]);
    let lane = lanes.get(key);
    if (!lane) {
      lane = { credentials, open: 0, idle: [], limit: maxPerAccount, byData: false };
      lanes.set(key, lane);
    }
    return lane;
  }

  const mayOpen = (lane: Lane) => open < maxConnections && lane.open < lane.limit;

  /** Waits for an idle session of the lane or for room to open one; null means: open one. */
  async function acquire(lane: Lane): Promise<SmtpSession | null> {
    for (;;) {
      const session = lane.idle.pop();
      if (session) return session;
      if (mayOpen(lane) || (lane.open < lane.limit && makeRoom())) {
        open++;
        lane.open++;
        return null;
      }
      await new Promise<void>((admit) => waiters.push(admit));
    }
  }

  /** Closes an idle session of some account, so that another may open one. */
  function makeRoom(): boolean {
    for (const lane of lanes.values()) {
      const session = lane.idle.shift();
      if (!session) continue;
      forget(lane);
      void session.quit();
      return true;
    }
    return false;
  }

  function forget(lane: Lane): void {
    open--;
    lane.open--;
  }

  function release(lane: Lane, session: SmtpSession | null): void {
    if (session?.usable && !closed) lane.idle.push(session);
    else {
      forget(lane);
      void session?.quit();
    }
    // All waiters look again: which may go on depends on the lane, and there are few.
    for (const admit of waiters.splice(0)) admit();
  }

  const openSession = ({ credentials, byData }: Lane) =>
    openSmtpSession(dial, {
      ...credentials,
      ehloName,
      timeouts: { ...tickTimeouts, ...options.timeouts },
      chunking: !byData,
      ...(options.idleMs === undefined ? {} : { idleMs: options.idleMs }),
    });

  /** Null: the server takes no further connection, so the message waits for one that is open. */
  async function attempt(lane: Lane, message: OutgoingRaw): Promise<SendResult | null> {
    let session = await acquire(lane);
    try {
      if (session) {
        const result = await sendOver(lane, session, message);
        if (!tookNothing(result)) return result;
        await session.quit();
        session = null;
      }
      if (lane.failed) return notOpened(lane.failed);
      session = await openSession(lane);
      const result = await sendOver(lane, session, message);
      if (!session.refusesChunks || !tookNothing(result)) return result;
      await session.quit();
      session = null;
      session = await openSession(lane);
      return await session.send(message);
    } catch (error) {
      if (!(error instanceof SmtpOpenError)) throw error;
      if (!error.permanent && lane.open > 1) {
        lane.limit = lane.open - 1;
        return null;
      }
      lane.failed = error;
      return notOpened(error);
    } finally {
      release(lane, session);
    }
  }

  async function sendOver(lane: Lane, session: SmtpSession, message: OutgoingRaw) {
    const result = await session.send(message);
    if (!lane.byData && (session.refusesChunks || result.state === "unknown")) {
      lane.byData = true;
      for (const idle of lane.idle.splice(0)) {
        forget(lane);
        void idle.quit();
      }
    }
    return result;
  }

  /** Each round without a result lowers the lane's limit, so it ends. */
  async function sendOn(lane: Lane, message: OutgoingRaw): Promise<SendResult> {
    for (;;) {
      const result = await attempt(lane, message);
      if (result) return result;
    }
  }

  return {
    async send(credentials, message) {
      if (closed) return connectionLost("the pool is closed", "open");
      return sendOn(laneFor(credentials), message);
    },

    check: (credentials, sender) =>
      checkAccount(
        dial,
        { ...credentials, ehloName, timeouts: { ...checkTimeouts, ...options.timeouts } },
        sender,
        options.checkMs ?? CHECK_MS,
      ),

    async close() {
      closed = true;
      const idle = [...lanes.values()].flatMap((lane) =>
        lane.idle.splice(0).map((session) => ({ lane, session })),
      );
      await Promise.all(idle.map(({ session }) => session.quit()));
      for (const { lane } of idle) forget(lane);
    },
  };
}

/** The server ended an idle session, or knew no BDAT: it took nothing, so a fresh connection is no retry. */
function tookNothing(result: SendResult): boolean {
  return result.state === "deferred" && result.scope === "connection" && result.stage === "mail";
}

function notOpened(error: SmtpOpenError): SendResult {
  return {
    state: "deferred",
    reply: error.message,
    scope: error.permanent ? "sender" : "connection",
    stage: "open",
    ...(error.code === undefined ? {} : { code: error.code }),
    ...(error.permanent ? { accountError: error.message } : {}),
    ...(error.tokenRefused ? { tokenRefused: true } : {}),
  };
}
