import { setWarpOffsetMs, warpOffsetMs } from "../../../scripts/stack/warp.ts";
import { afterEach, beforeEach } from "vitest";
import {
  type NetworkOptions,
  type NetworkPart,
  startNetwork,
} from "../../../scripts/stack/network/network.ts";

export const API_KEY = "local.dGhlIGtleSBvZiB0aGUgdGVzdHM=";
export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The fields that tests read of an answer; which of them are there depends on the question. */
export interface Body {
  object: string;
  type: string;
  detail: string;
  id: string;
  account_id: string;
  provider_id: string;
  invitation_id: string;
  chat_id: string;
  message_id: string;
  post_id: string;
  webhook_id: string;
  social_id: string;
  public_identifier: string;
  impressions_counter: number;
  reaction_counter: number;
  text: string;
  cursor: string | null;
  items: Body[];
}

export interface Reply {
  status: number;
  type: string;
  headers: Headers;
  body: Body;
}

export interface NetworkSetting {
  part: NetworkPart;
  /** Opens a further part, closed after the test. */
  open(options?: Partial<NetworkOptions>): Promise<NetworkPart>;
  /** Calls below /api/v1; a FormData goes as multipart, anything else as JSON. */
  call(method: string, path: string, body?: unknown, key?: string): Promise<Reply>;
  /** The page's own API. */
  page(method: string, path: string, body?: unknown): Promise<Reply>;
  /** Connects; answers the account's id. */
  connect(username?: string): Promise<string>;
  /** The id of somebody, as a profile says it. */
  idOf(account: string, slug: string): Promise<string>;
  invite(account: string, slug: string, note?: string): Promise<Reply>;
  /** A message in a new chat. */
  say(account: string, slug: string, text: string): Promise<Reply>;
  /** Moves the clock as the stack does: stops at everything that falls due on the way. */
  advance(seconds: number): Promise<void>;
}

/** A fresh network for each test of the file. */
export function networkSetting(): NetworkSetting {
  const opened: NetworkPart[] = [];
  const setting = {
    async open(options: Partial<NetworkOptions> = {}) {
      const part = await startNetwork({ apiKey: API_KEY, ...options });
      opened.push(part);
      return part;
    },
    call: (method, path, body, key = API_KEY) =>
      ask(`${setting.part.url}/api/v1/${path}`, method, body, { "x-api-key": key }),
    page: (method, path, body) => ask(`${setting.part.url}/api/${path}`, method, body, {}),
    async connect(username = "ok@example.zz") {
      const { body } = await setting.call("POST", "accounts", credentials(username));
      return body.account_id;
    },
    async idOf(account, slug) {
      const path = `users/${encodeURIComponent(slug)}?account_id=${account}`;
      return (await setting.call("GET", path)).body.provider_id;
    },
    async invite(account, slug, message) {
      const person = await setting.idOf(account, slug);
      return setting.call("POST", "users/invite", {
        account_id: account,
        provider_id: person,
        ...(message === undefined ? {} : { message }),
      });
    },
    async say(account, slug, text) {
      const person = await setting.idOf(account, slug);
      return setting.call(
        "POST",
        "chats",
        form({ account_id: account, attendees_ids: [person], text }),
      );
    },
    async advance(seconds) {
      const target = Date.now() + seconds * 1000;
      for (;;) {
        await setting.part.idle();
        const next = setting.part.nextDueAt()?.getTime() ?? Infinity;
        setWarpOffsetMs(warpOffsetMs() + Math.max(0, Math.min(next, target) - Date.now()));
        if (next > target) break;
      }
      await setting.part.idle();
    },
  } as NetworkSetting;

  beforeEach(async () => {
    setting.part = await setting.open();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((part) => part.close()));
  });
  return setting;
}

export const PASSWORD = "correct horse battery";

export const credentials = (username: string, more: object = {}) => ({
  provider: "LINKEDIN",
  username,
  password: PASSWORD,
  ...more,
});

export async function ask(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Reply> {
  const isForm = body instanceof FormData;
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  const response = await fetch(url, {
    method,
    headers: {
      ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined
      ? {}
      : { body: isForm || isRaw ? (body as BodyInit) : JSON.stringify(body) }),
  });
  const text = await response.text();
  const type = response.headers.get("content-type") ?? "";
  return {
    status: response.status,
    type,
    headers: response.headers,
    body: type.startsWith("application/json") ? JSON.parse(text) : { text },
  };
}

/** A multipart body. */
export function form(fields: Record<string, string | string[] | Blob>): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields))
    for (const each of Array.isArray(value) ? value : [value]) body.append(name, each);
  return body;
}

/** What an error says: status and type, without the vendor's prefix. */
export const refusal = ({ status, body }: Reply) =>
  `${status} ${body.type?.replace("errors/", "")}`;
