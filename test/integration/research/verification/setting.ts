import type { Dns, DnsAnswer } from "#src/providers/dns/index.ts";
import type { ProbePlan } from "#src/providers/probe/index.ts";
import { createSmtpProbe, type SmtpProbeSettings } from "#src/providers/probe/smtp-probe.ts";
import { classify } from "#src/domain/research/verification/classify.ts";
import { systemClock } from "#src/platform/system.ts";
import { dialAtPorts } from "../../../../scripts/stack/dial-ports.ts";
import { createNodeDial } from "../../../../scripts/stack/node-dial.ts";
import { type Sink, type SinkConnection, startSink } from "../../mail/raw-sink.ts";

export const TARGET = "anna@corp.zz";
export const RANDOM = "nobody@corp.zz";

const everyHostIsHere: Dns = {
  lookup: async (): Promise<DnsAnswer> => ({ kind: "no_data" }),
  addresses: async () => ({ kind: "records", records: ["127.0.0.1"] }),
};

/** A probe of mail hosts by name, each at the port of a sink. */
export function probeOf(ports: Record<string, number>, over: Partial<SmtpProbeSettings> = {}) {
  return createSmtpProbe({
    dial: dialAtPorts(createNodeDial({ anyCertificate: true }), ports),
    dns: everyHostIsHere,
    clock: systemClock,
    caller: { ehloName: "probe.overture.zz", sender: "probe@overture.zz" },
    port: 25,
    loopback: true,
    readReply: classify,
    ...over,
  });
}

export const planFor = (over: Partial<ProbePlan> = {}): ProbePlan => ({
  hosts: ["mx.corp.zz"],
  recipients: [TARGET],
  random: RANDOM,
  stopAtFirstAccept: true,
  maxRefusals: 1,
  budgetMs: 4_000,
  ...over,
});

/** A host that answers each command by its verb; a missing verb is 250. RCPT is asked by address. */
export function hostThat(answers: {
  banner?: string;
  extensions?: string[];
  ehlo?: string;
  mail?: (line: string) => string;
  rcpt?: (address: string, asked: number) => string | null;
}): (connection: SinkConnection) => Promise<void> {
  return async (connection) => {
    connection.say(answers.banner ?? "220 mx ready");
    let asked = 0;
    for (let line = await connection.line(); line !== null; line = await connection.line()) {
      const reply = replyTo(line);
      if (reply === null) return connection.end();
      connection.say(...reply);
      if (line === "QUIT") return connection.end();
    }
    function replyTo(line: string): string[] | null {
      if (line.startsWith("EHLO")) return ehloReply();
      if (line.startsWith("MAIL")) return [answers.mail?.(line) ?? "250 2.1.0 OK"];
      if (line === "QUIT") return ["221 bye"];
      if (!line.startsWith("RCPT")) return ["250 OK"];
      const address = /<(.*)>/.exec(line)![1]!;
      const said = (answers.rcpt ?? (() => "250 2.1.5 OK"))(address, ++asked);
      return said === null ? null : [said];
    }
    function ehloReply(): string[] {
      if (answers.ehlo !== undefined) return [answers.ehlo];
      const all = ["mx", ...(answers.extensions ?? [])];
      return all.map((text, at) => `250${at === all.length - 1 ? " " : "-"}${text}`);
    }
  };
}

const sinks: Sink[] = [];

export async function listen(serve: Parameters<typeof startSink>[0]): Promise<Sink> {
  const sink = await startSink(serve);
  sinks.push(sink);
  return sink;
}

export const closeSinks = async (): Promise<void> => {
  await Promise.all(sinks.splice(0).map((sink) => sink.close()));
};

export const verbs = ({ received }: SinkConnection): string[] =>
  received.map((line) => line.split(/[ :]/)[0]!);
