import { type NetworkPart, startNetwork } from "../../../scripts/stack/network/network.ts";

export const API_KEY = "local.dGhlIGtleSBvZiB0aGUgdGVzdHM=";

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
  cursor: string | null;
  items: Body[];
}

export interface Reply {
  status: number;
  type: string;
  body: Body;
}

export interface NetworkSetting {
  part: NetworkPart;
  /** Calls below /api/v1; a FormData goes as multipart, anything else as JSON. */
  call(method: string, path: string, body?: unknown, key?: string): Promise<Reply>;
  /** Connects; answers the account's id. */
  connect(username?: string): Promise<string>;
  /** The page's own API. */
  page(method: string, path: string, body?: unknown): Promise<Reply>;
  close(): Promise<void>;
}

export async function openNetwork(
  options: { stateFile?: string; port?: number } = {},
): Promise<NetworkSetting> {
  const part = await startNetwork({ apiKey: API_KEY, ...options });
  const call: NetworkSetting["call"] = (method, path, body, key = API_KEY) =>
    ask(`${part.url}/api/v1/${path}`, method, body, { "x-api-key": key });
  return {
    part,
    call,
    async connect(username = "ok@example.zz") {
      const { body } = await call("POST", "accounts", credentials(username));
      return body.account_id;
    },
    page: (method, path, body) => ask(`${part.url}/api/${path}`, method, body, {}),
    close: part.close,
  };
}

export const credentials = (username: string, more: object = {}) => ({
  provider: "LINKEDIN",
  username,
  password: "correct horse",
  ...more,
});

async function ask(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Reply> {
  const isForm = body instanceof FormData;
  const response = await fetch(url, {
    method,
    headers: {
      ...headers,
      ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const type = response.headers.get("content-type") ?? "";
  return {
    status: response.status,
    type,
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

/** The id of somebody, as a profile says it. */
export async function idOf({ call }: NetworkSetting, account: string, slug: string) {
  const { body } = await call("GET", `users/${slug}?account_id=${account}`);
  return body.provider_id;
}
