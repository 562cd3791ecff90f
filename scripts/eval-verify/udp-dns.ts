import { createSocket, type RemoteInfo } from "node:dgram";
import { answerQuery, type JsonReply, SERVFAIL, TYPE_NUMBERS } from "../stack/dns/answer.ts";
import type { KnownNames } from "../stack/farm/names.ts";

export interface UdpDns {
  port: number;
  close(): Promise<void>;
}

const HEADER_OCTETS = 12;
const IN = 1;
const MX = TYPE_NUMBERS.MX;

/** DNS as RFC 1035 has it, for programs that ask the system's resolver. Knows the farm's names and nothing else. */
export function startUdpDns(
  names: KnownNames,
  { address, port }: { address: string; port: number },
): Promise<UdpDns> {
  const socket = createSocket("udp4");
  socket.on("message", (query: Buffer, from: RemoteInfo) => {
    const reply = replyTo(names, query);
    if (reply !== null) socket.send(reply, from.port, from.address);
  });
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.bind(port, address, () =>
      resolve({
        port: socket.address().port,
        close: () => new Promise((done) => socket.close(() => done())),
      }),
    );
  });
}

/** Null where nothing is to be answered: no query, or a name for which the resolver times out. */
function replyTo({ records, troubles }: KnownNames, query: Buffer): Buffer | null {
  if (query.length < HEADER_OCTETS || query.readUInt16BE(4) !== 1) return null;
  const { name, end } = readName(query);
  if (end + 4 > query.length) return null;
  const type = query.readUInt16BE(end);
  const trouble = troubles.get(name);
  if (trouble === "timeout") return null;
  const found = answerQuery(records, name, type);
  const { Status, Answer = [] } = trouble === "servfail" ? FAILED : found;
  const header = Buffer.alloc(HEADER_OCTETS);
  query.copy(header, 0, 0, 2);
  // A response, recursion desired and available.
  header.writeUInt16BE(0x8180 | Status, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(Answer.length, 6);
  return Buffer.concat([header, query.subarray(HEADER_OCTETS, end + 4), ...Answer.map(record)]);
}

const FAILED: Pick<JsonReply, "Status" | "Answer"> = { Status: SERVFAIL };

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_OCTETS;
  for (let length = query[at++] ?? 0; length > 0; length = query[at++] ?? 0) {
    labels.push(query.toString("latin1", at, at + length).toLowerCase());
    at += length;
  }
  return { name: labels.join("."), end: at };
}

function record({ name, type, TTL, data }: NonNullable<JsonReply["Answer"]>[number]): Buffer {
  const octets = dataOf(type, data);
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(IN, 2);
  fixed.writeUInt32BE(TTL, 4);
  fixed.writeUInt16BE(octets.length, 8);
  return Buffer.concat([nameOctets(name), fixed, octets]);
}

function dataOf(type: number, data: string): Buffer {
  if (type === TYPE_NUMBERS.A) return Buffer.from(data.split(".").map(Number));
  if (type === TYPE_NUMBERS.CNAME) return nameOctets(data);
  if (type !== MX)
    return Buffer.concat([Buffer.of(data.length - 2), Buffer.from(data.slice(1, -1))]);
  const [preference, host = ""] = data.split(" ");
  const octets = Buffer.alloc(2);
  octets.writeUInt16BE(Number(preference), 0);
  return Buffer.concat([octets, nameOctets(host)]);
}

function nameOctets(name: string): Buffer {
  const labels = name.replace(/\.$/, "").split(".").filter(Boolean);
  return Buffer.concat([
    ...labels.map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)])),
    Buffer.of(0),
  ]);
}
