import { z } from "zod";
import type { ChatBody } from "./request.ts";

export type Facts = Record<string, string>;

/** What the prompt gave the composer to write from. */
export interface Given {
  lead: Facts;
  sender: Facts;
  template: { subject: string; body: string } | null;
  /** The texts about the lead that were found. */
  research: string[];
  /** Its instructions. */
  system: string;
  continuesThread: boolean;
}

const facts = z.record(z.string(), z.unknown()).transform((fields) => {
  const texts = Object.entries(fields).filter(([, value]) =>
    ["string", "number"].includes(typeof value),
  );
  return Object.fromEntries(texts.map(([key, value]) => [key, String(value)]));
});

/**
 * Reads the JSON objects between named tags (`<data-… name="lead">{…}</data-…>`); where there are none, the first object
 * of the messages that has `lead` or `sender` in it.
 */
export function readGiven(messages: ChatBody["messages"]): Given {
  const said = (roles: string[]) =>
    messages
      .filter(({ role }) => roles.includes(role))
      .map(({ content }) => content)
      .join("\n");
  const user = said(["user"]);
  const blocks = { ...unfenced(user), ...fenced(user) };
  const { subject = "", body = "" } = blocks["template"] ?? {};
  return {
    lead: blocks["lead"] ?? {},
    sender: blocks["sender"] ?? {},
    template: body === "" ? null : { subject, body },
    research: Object.values(blocks["research"] ?? {}),
    system: said(["system", "developer"]),
    continuesThread: user.includes(`subject is ""`),
  };
}

const FENCE = /<([\w-]{1,80})\s+name="([\w-]{1,40})"[^>]{0,80}>\s*([^<]*)<\/\1>/g;

function fenced(text: string): Record<string, Facts> {
  const blocks: Record<string, Facts> = {};
  for (const [, , name, json] of text.matchAll(FENCE)) {
    const parsed = facts.safeParse(parse(json!));
    if (parsed.success) blocks[name!] ??= parsed.data;
  }
  return blocks;
}

const wholePrompt = z.looseObject({
  lead: facts.optional(),
  sender: facts.optional(),
  template: facts.nullish(),
  research: z.union([facts, z.string().transform((text): Facts => ({ text }))]).optional(),
});

function unfenced(text: string): Record<string, Facts> {
  const whole = wholePrompt.safeParse(
    parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)),
  );
  if (!whole.success) return {};
  const { lead, sender, template, research } = whole.data;
  const named = Object.entries({ lead, sender, template, research });
  return Object.fromEntries(named.filter((entry): entry is [string, Facts] => entry[1] != null));
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
