import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Confirms } from "#src/domain/access/confirmations.ts";
import { createKey } from "#src/domain/access/manage-keys.ts";
import type { Scope } from "#src/domain/access/scopes.ts";
import type { Tenant, TestApi } from "./api.ts";
import { Client as ClientOf2025 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportOf2025 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

/** A key as a login of the tenant makes it. */
export function keyOf(
  { deps }: Pick<TestApi, "deps">,
  { workspaceId, userId }: Pick<Tenant, "workspaceId" | "userId">,
  { confirm = "token", scopes = null }: { confirm?: Confirms; scopes?: Scope[] | null } = {},
): Promise<{ id: string; key: string }> {
  const owner = {
    workspaceId,
    userId,
    plan: "paid",
    role: "owner",
    via: "jwt",
    actor: `user:${userId}`,
    scopes: null,
    confirm: "human",
  } as const;
  return createKey(deps, owner, { name: "agent", scopes, expiresAt: null, confirm });
}

/** What a tool answered, its one text read as JSON. */
export interface ToolReply {
  isError: boolean;
  // Each test knows what it asked for.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
  bytes: number;
  meta: Record<string, unknown> | undefined;
}

/** An official client, connected, as an agent's program has it. */
export interface Agent {
  tools(): Promise<{ name: string; description?: string | undefined }[]>;
  use(
    name: string,
    given?: Record<string, unknown>,
    meta?: Record<string, unknown>,
  ): Promise<ToolReply>;
  close(): Promise<void>;
}

export type Generation = "2025" | "2026";

/** How the agent's person answers what their client asks; null where the client cannot ask. */
export type Person = ((message: string) => "accept" | "decline" | "cancel") | null;

interface Wire {
  url: string;
  key: string | null;
  person?: Person;
}

const IDENTITY = { name: "tests", version: "1" };

export const connect = (generation: Generation, wire: Wire): Promise<Agent> =>
  generation === "2025" ? connect2025(wire) : connect2026(wire);

const initOf = (key: string | null): RequestInit =>
  key === null ? {} : { headers: { authorization: `Bearer ${key}` } };

async function connect2025({ url, key }: Wire): Promise<Agent> {
  const client = new ClientOf2025(IDENTITY);
  const transport = new TransportOf2025(new URL(url), { requestInit: initOf(key) });
  // The library's own types disagree under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    tools: async () => (await client.listTools()).tools,
    use: async (name, given = {}, meta) =>
      replyOf(
        await client.callTool({
          name,
          arguments: given,
          ...(meta === undefined ? {} : { _meta: meta }),
        }),
      ),
    close: () => client.close(),
  };
}

async function connect2026({ url, key, person = null }: Wire): Promise<Agent> {
  const client = new Client(IDENTITY, {
    versionNegotiation: { mode: "auto" },
    capabilities: person === null ? {} : { elicitation: { form: {} } },
  });
  if (person !== null)
    client.setRequestHandler("elicitation/create", ({ params }) => {
      const action = person(params.message);
      return action === "accept" ? { action, content: { confirm: true } } : { action };
    });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: initOf(key) }),
  );
  return {
    tools: async () => (await client.listTools()).tools,
    use: async (name, given = {}, meta) =>
      replyOf(
        await client.callTool({
          name,
          arguments: given,
          ...(meta === undefined ? {} : { _meta: meta }),
        }),
      ),
    close: () => client.close(),
  };
}

function replyOf(result: {
  [name: string]: unknown;
  content?: unknown;
  isError?: unknown;
  _meta?: unknown;
}): ToolReply {
  const [{ text }] = result.content as [{ text: string }];
  return {
    isError: result.isError === true,
    body: JSON.parse(text),
    bytes: Buffer.byteLength(text),
    meta: result._meta as Record<string, unknown> | undefined,
  };
}
