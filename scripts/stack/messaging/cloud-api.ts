import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type Answer, type HttpRequest, json, type Route, route } from "../page-routes.ts";
import type { Faults } from "../part.ts";
import { type GraphErrorName, graphErrorAnswer, unknownObject } from "./graph-error.ts";
import type { TelephoneMessage } from "./message-store.ts";
import { readSendRequest, type TemplateSend } from "./send-request.ts";
import { settingsApi } from "./settings-api.ts";

export const messagingFaults = {
  down: "the connection is cut before the request is looked at; nothing arrives",
  slow: "answered a second later",
  server_error: "500 with code 131000; nothing arrives",
  rate_limited: "429 with code 130429 and Retry-After: 30; nothing arrives",
  token_expired: "401 with code 190; nothing arrives",
  template_paused: "400 with code 132015; nothing arrives",
  template_rejected: "the first template is listed as rejected",
  refused_recipient: "400 with code 131026; nothing arrives",
  lying: "200 with a page of HTML; nothing arrives",
  lost_answer: "the message arrives, and the connection is cut before the answer",
  undeliverable: "taken, and then the status says that it failed, with code 131026",
  status_lost: "a message's statuses are never told",
  status_twice: "a message's statuses are told twice",
  status_late: 'the status "sent" is told a minute after "delivered"',
} as const;

export interface CloudApiOptions {
  phoneNumberId: string;
  accessToken: string;
  /** Digits of the sender's own number. */
  number: string;
  faults: Faults;
  /** Of the last seconds, oldest first. */
  sentTo(number: string, sinceMs: number): TelephoneMessage[];
  /** Keeps the message; false when its recipient has no telephone. */
  arrived(id: string, send: TemplateSend): void;
}

const SLOW_MS = 1000;
/** A burst to one recipient: 45 in six seconds. */
const PAIR_BURST = 45;
const PAIR_WINDOW_MS = 6000;

/** `POST /{version}/{phone number id}/messages`, and what a deployment may ask about itself. */
export function cloudApi(options: CloudApiOptions): Route[] {
  const { faults } = options;
  return [
    ...settingsApi(options),
    route("POST", "/v\\d{1,3}\\.\\d/([^/]+)/messages", async (request) => {
      if (faults.take("down")) return null;
      if (faults.take("slow")) await delay(SLOW_MS);
      if (faults.take("lying"))
        return { status: 200, type: "text/html; charset=utf-8", body: "<p>All is well.</p>" };
      return orderedError(faults) ?? send(options, request);
    }),
  ];
}

const ORDERED: [keyof typeof messagingFaults, GraphErrorName][] = [
  ["server_error", "broken"],
  ["token_expired", "tokenExpired"],
  ["template_paused", "paused"],
  ["refused_recipient", "undeliverable"],
];

function orderedError(faults: Faults): Answer | null {
  if (faults.take("rate_limited"))
    return {
      ...graphErrorAnswer({ name: "throughput", details: "Cloud API message throughput reached" }),
      headers: { "Retry-After": "30" },
    };
  const [, name] = ORDERED.find(([fault]) => faults.take(fault)) ?? [];
  return name === undefined ? null : graphErrorAnswer({ name, details: "ordered at /_control" });
}

function send(options: CloudApiOptions, { headers, captured, body }: HttpRequest): Answer | null {
  const token = /^(?:Bearer|OAuth) (.*)$/.exec(headers.authorization ?? "")?.[1];
  if (token !== options.accessToken) return graphErrorAnswer({ name: "notAToken", details: "" });
  const [phoneNumberId = ""] = captured;
  if (phoneNumberId !== options.phoneNumberId) return unknownObject(phoneNumberId);
  const read = readSendRequest(body, options.number);
  if ("name" in read) return graphErrorAnswer(read);
  const recent = options.sentTo(`+${read.waId}`, Date.now() - PAIR_WINDOW_MS);
  if (recent.length >= PAIR_BURST)
    return graphErrorAnswer({ name: "pair", details: "wait before sending to this number again" });
  const id = `wamid.${randomBytes(30).toString("base64")}`;
  options.arrived(id, read);
  return options.faults.take("lost_answer") ? null : taken(id, read);
}

const taken = (id: string, { to, waId }: TemplateSend): Answer =>
  json({
    messaging_product: "whatsapp",
    contacts: [{ input: to, wa_id: waId }],
    messages: [{ id, message_status: "accepted" }],
  });
