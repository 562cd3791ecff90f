import type { StackDescription } from "../stack/running.ts";

/** The API as a user of the demo workspace, the mailbox, and the stack's clock. */
export interface DemoClients {
  api(method: string, path: string, body?: unknown): Promise<unknown>;
  mailbox(method: string, path: string, body?: unknown): Promise<unknown>;
  advance(seconds: number): Promise<void>;
}

export function createClients(description: StackDescription): DemoClients {
  const authorized = { authorization: `Bearer ${description.api_key}` };
  return {
    api: (method, path, body) => call(description.base_url + path, method, body, authorized),
    mailbox: (method, path, body) => call(description.mailbox_url + path, method, body, {}),
    async advance(seconds) {
      await call(`${description.control_url}/clock`, "POST", { advance_seconds: seconds }, {});
    },
  };
}

async function call(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<unknown> {
  const isForm = body instanceof FormData;
  const response = await fetch(url, {
    method,
    headers:
      isForm || body === undefined ? headers : { ...headers, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok)
    throw new Error(
      `${method} ${new URL(url).pathname} answered ${response.status}: ${text.slice(0, 1000)}`,
    );
  return JSON.parse(text);
}
