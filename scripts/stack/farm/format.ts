import { z } from "zod";

/**
 * The farm's table as its files write it; docs/design/local-stack-farm.md explains each field. Strict
 * throughout: a field misspelt in a user's own file would otherwise be a behaviour that silently is not there.
 */

const milliseconds = z.number().int().min(0).max(600_000);
const count = z.number().int().min(0).max(1_000_000);

const pattern = z.string().transform((source, context) => {
  try {
    return new RegExp(source, "i");
  } catch (error) {
    context.addIssue((error as Error).message);
    return z.NEVER;
  }
});

/** What must hold for a rule to speak; all of it. */
const conditions = z.strictObject({
  /** Local parts, in any case. */
  to: z.array(z.string()).optional(),
  /** A regular expression that the local part matches. */
  to_like: pattern.optional(),
  /** `<>`, `@domain` or a whole address. */
  from: z.array(z.string()).optional(),
  /** A regular expression that the name in HELO or EHLO matches. */
  helo: pattern.optional(),
  tls: z.boolean().optional(),
  /** This many RCPT came before in the session; likewise refused and accepted ones. */
  rcpts_over: count.optional(),
  refused_over: count.optional(),
  accepted_over: count.optional(),
  /** Sender, recipient and client were first seen together less than this ago, or are seen now. */
  first_seen_within_ms: milliseconds.optional(),
  /** More connections than this are open at the host, or were opened in the last minute; the one in question counts. */
  open_over: count.optional(),
  opened_in_a_minute_over: count.optional(),
});

/** A blank behind its code makes a line the last of its reply (RFC 5321 section 4.2.1): others would be read as the next one's. */
const replyText = z
  .string()
  .refine((text) => !/^\d{3}( .*)?\n/m.test(text), "a line before the last needs a hyphen");

const rule = z.strictObject({
  when: conditions.optional(),
  /** Lines as they go out, each with its code; `{host}`, `{to}`, `{from}`, `{domain}`, `{helo}` and `{ip}` are filled in. */
  say: replyText.optional(),
  after_ms: milliseconds.optional(),
  /** Octet by octet, with this pause between them. */
  drip_ms: milliseconds.optional(),
  line_end: z.enum(["crlf", "lf"]).optional(),
  octets: z.enum(["utf8", "latin1"]).optional(),
  end: z.enum(["close", "reset", "hang", "flood"]).optional(),
});

/** One text, one rule, or rules of which the first that fits speaks. */
const stage = z.preprocess((written) => {
  if (typeof written === "string") return [{ say: written }];
  return Array.isArray(written) ? written : [written];
}, z.array(rule));

const trouble = z.enum(["servfail", "timeout"]);

const host = z.strictObject({
  /** Of EHLO; STARTTLS and SMTPUTF8 among them are heeded. */
  extensions: z.array(z.string()).default(["PIPELINING", "SIZE 52428800", "8BITMIME"]),
  /** Before every reply. */
  delay_ms: milliseconds.default(0),
  /** The one thing a listener cannot do. */
  connect: z.literal("refused").optional(),
  /** What DNS says instead of the address at which it listens. */
  address: z.string().optional(),
  /** Names that are CNAME of this one. */
  aliases: z.array(z.string()).default([]),
  dns: trouble.optional(),
  banner: stage.optional(),
  ehlo: stage.optional(),
  helo: stage.optional(),
  starttls: stage.optional(),
  mail: stage.optional(),
  rcpt: stage.optional(),
  /** To a recipient without a mailbox. */
  unknown_user: stage.optional(),
  data: stage.optional(),
  /** To a message, after its last dot. */
  message: stage.optional(),
  rset: stage.optional(),
  noop: stage.optional(),
  vrfy: stage.optional(),
  quit: stage.optional(),
});

export const OUTCOMES = ["valid", "catch_all", "invalid", "unknown"] as const;
/** Local parts, or whole addresses of that domain as a person might type them. */
const addresses = z.array(z.string()).default([]);

const domain = z.strictObject({
  /** Lines of a zone without the name: `MX 10 mx.corp.zz`. By default an MX to each host of the provider, in their order. */
  records: z.array(z.string()).optional(),
  dns: trouble.optional(),
  disposable: z.boolean().default(false),
  /** Which of the addresses are a role's. */
  role: z.array(z.string()).default([]),
  valid: addresses,
  catch_all: addresses,
  invalid: addresses,
  unknown: addresses,
});

const provider = z.strictObject({
  provider: z.string(),
  split: z.enum(["tune", "held_out"]),
  /** What is special here, for people. */
  about: z.string().optional(),
  hosts: z.record(z.string(), host).default({}),
  domains: z.record(z.string(), domain),
});

export const farmFile = z.strictObject({ providers: z.array(provider) });

export type Conditions = z.output<typeof conditions>;
export type Rule = z.output<typeof rule>;
export type FarmHost = z.output<typeof host>;
export type FarmDomain = z.output<typeof domain>;
export type FarmProvider = z.output<typeof provider>;
export type DnsTrouble = z.output<typeof trouble>;
export type Outcome = (typeof OUTCOMES)[number];
export type Split = FarmProvider["split"];
