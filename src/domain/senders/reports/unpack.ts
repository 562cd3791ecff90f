import { Inflate, Unzip, UnzipInflate } from "fflate";
import PostalMime, { type Attachment, type Email } from "postal-mime";

/** Why a report is not taken. */
export type Refusal =
  /** The mail, or what it holds unpacked, is larger than any honest report. */
  | "too_large"
  /** Nothing in the mail is XML, JSON, gzip or zip. */
  | "no_report"
  /** Packed or written in a way that cannot be read to its end. */
  | "unreadable"
  /** Without a reporter, an id, a domain or a time that can be kept. */
  | "incomplete"
  /** About a domain that is not the address's. */
  | "wrong_domain"
  /** Of before what is kept, or of a time that has not been. */
  | "wrong_time"
  /** About one message (RFC 9991): it holds other people's mail, and is kept nowhere. */
  | "failure_report"
  /** The domain has had as many reports today as it may. */
  | "too_many";

export class ReportRefused extends Error {
  override name = "ReportRefused";
  readonly reason: Refusal;
  constructor(reason: Refusal) {
    super(reason);
    this.reason = reason;
  }
}

/** Characters that come one after another; those of one document can be read while the next are still packed. */
export interface PackedReport {
  /** `xml` is an aggregate report of DMARC, `json` one of TLS. */
  format: "xml" | "json";
  /** Throws ReportRefused. May be read once. */
  text(): Iterable<string>;
}

const MIB = 1024 * 1024;
/** The largest honest report seen has 0.9 MB of XML, and 35 kB packed. */
export const MAX_MAIL = 4 * MIB;
/** Of all that one mail holds. */
export const MAX_UNPACKED = 6 * MIB;
const MAX_REPORTS = 5;
/** Lines that may part a mail: the MIME reader takes 3 kB and 40 us for each part. */
const MAX_SEPARATORS = 100;
/** Deflate packs 1,032 to one at most: a piece of this is never more than 2 MiB unpacked. */
const PIECE = 2048;

/**
 * The reports in a mail that came to an address for reports: attached or as the mail itself; plain, gzip (RFC 1952)
 * or zip, known by their first bytes, since reporters name and type them as they like. Throws ReportRefused.
 */
export async function unpackReports(raw: Uint8Array): Promise<PackedReport[]> {
  if (raw.length > MAX_MAIL || separatorsIn(raw) > MAX_SEPARATORS)
    throw new ReportRefused("too_large");
  const mail = await PostalMime.parse(raw, {
    forceRfc822Attachments: true,
    maxNestingDepth: 20,
  }).catch(() => {
    throw new ReportRefused("unreadable");
  });
  if (isFailureReport(mail)) throw new ReportRefused("failure_report");
  const budget = { left: MAX_UNPACKED };
  // A report whose type is text/plain is the mail's own text.
  const parts = [...mail.attachments.map(bytesOf), new TextEncoder().encode(mail.text)];
  const reports = parts.flatMap((part) => packedIn(part, budget)).slice(0, MAX_REPORTS);
  if (reports.length === 0) throw new ReportRefused("no_report");
  return reports;
}

/** Lines that begin as a boundary does (RFC 2046 section 5.1.1), as no line of base64 does. */
function separatorsIn(raw: Uint8Array): number {
  let count = 0;
  for (let at = raw.indexOf(NEW_LINE); at !== -1; at = raw.indexOf(NEW_LINE, at + 1))
    if (raw[at + 1] === HYPHEN && raw[at + 2] === HYPHEN) count++;
  return count;
}
const NEW_LINE = 10;
const HYPHEN = 45;

/** A feedback report (RFC 5965, RFC 6591), which an aggregate report has not, or Exim's, which says it in the subject alone. */
const isFailureReport = ({ attachments, subject = "" }: Email): boolean =>
  attachments.some(({ mimeType }) => mimeType === "message/feedback-report") ||
  /\b(dmarc|spf|dkim)\b.*\b(failure|forensic) report\b/i.test(subject.slice(0, 500));

const bytesOf = ({ content }: Attachment): Uint8Array =>
  typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);

type Budget = { left: number };

function packedIn(bytes: Uint8Array, budget: Budget): PackedReport[] {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return first(() => gunzipped(bytes), budget);
  if (startsWith(bytes, "PK\u0003\u0004"))
    return unzipped(bytes, budget).flatMap((file) => first(() => file, budget));
  return first(() => [bytes], budget);
}

/** What stands in the bytes, by how their text begins; nothing when that is neither XML nor JSON. */
function first(pieces: () => Iterable<Uint8Array>, budget: Budget): PackedReport[] {
  let head: string;
  try {
    head = [...decoded(pieces(), { left: Number.MAX_SAFE_INTEGER }, 1)].join("").trimStart();
  } catch (error) {
    if (!(error instanceof ReportRefused)) throw error;
    // It says what is wrong when it is read.
    return [{ format: "xml", text: () => decoded(pieces(), budget) }];
  }
  const format = head.startsWith("<") ? "xml" : head.startsWith("{") ? "json" : null;
  return format === null ? [] : [{ format, text: () => decoded(pieces(), budget) }];
}

/** What stands behind the deflate stream is passed over: reporters append line ends and more (Mimecast does). */
function* gunzipped(bytes: Uint8Array): Generator<Uint8Array> {
  const out: Uint8Array[] = [];
  let isOver = false;
  const inflate = new Inflate((piece, final) => {
    out.push(piece);
    isOver = final;
  });
  const start = headerLength(bytes);
  for (let at = start; at < bytes.length; at += PIECE) {
    pushed(() => inflate.push(bytes.subarray(at, at + PIECE), at + PIECE >= bytes.length));
    // A stored block that is not there whole comes out as nothing yet, and how a document begins is told by its first piece.
    yield* out.splice(0).filter(({ length }) => length > 0);
  }
  if (!isOver) throw new ReportRefused("unreadable");
}

/** The files in pieces, which are never joined: a copy of all would be as large again. */
function unzipped(bytes: Uint8Array, budget: Budget): Uint8Array[][] {
  const files: Uint8Array[][] = [];
  const unzip = new Unzip((file) => {
    if (files.length === MAX_REPORTS) return;
    const pieces: Uint8Array[] = [];
    files.push(pieces);
    file.ondata = (error, piece) => {
      // What is thrown here the library catches, and says it here again.
      if (error instanceof ReportRefused) throw error;
      if (error !== null) throw new ReportRefused("unreadable");
      if (budget.left - sizeOf(files) < piece.length) throw new ReportRefused("too_large");
      // How a document begins is told by its first piece.
      const last = pieces.length === 1 && pieces[0]!.length < PIECE ? pieces.pop()! : null;
      pieces.push(last === null ? piece : joined([last, piece]));
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  for (let at = 0; at < bytes.length; at += PIECE)
    pushed(() => unzip.push(bytes.subarray(at, at + PIECE), at + PIECE >= bytes.length));
  return files;
}

/** What the library says of bytes that are none of its format is an error of any class. */
function pushed(push: () => void): void {
  try {
    push();
  } catch (error) {
    throw error instanceof ReportRefused ? error : new ReportRefused("unreadable");
  }
}

const sizeOf = (files: Uint8Array[][]): number =>
  files.flat().reduce((sum, { length }) => sum + length, 0);

function joined(pieces: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(sizeOf([pieces]));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** RFC 1952 section 2.3: ten bytes, then extra field, name, comment and checksum as the flags say. */
function headerLength(bytes: Uint8Array): number {
  const flags = bytes[3] ?? 0;
  let at = 10;
  if (flags & 4) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
  for (const flag of [8, 16]) if (flags & flag) at = bytes.indexOf(0, at) + 1 || bytes.length;
  return flags & 2 ? at + 2 : at;
}

/** By byte order mark, else by the XML declaration, else UTF-8; bytes that are none are replaced. */
function* decoded(
  pieces: Iterable<Uint8Array>,
  budget: Budget,
  most = Infinity,
): Generator<string> {
  let decoder: TextDecoder | null = null;
  let count = 0;
  for (const piece of pieces) {
    if (count++ === most) return;
    budget.left -= piece.length;
    if (budget.left < 0) throw new ReportRefused("too_large");
    decoder ??= new TextDecoder(encodingOf(piece));
    yield decoder.decode(piece, { stream: true });
  }
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  const named = /^<\?xml[^>]*\bencoding\s*=\s*["'](iso-8859-\d+|windows-125\d)["']/i.exec(
    head,
  )?.[1];
  return named?.toLowerCase() ?? "utf-8";
}

const startsWith = (bytes: Uint8Array, text: string): boolean =>
  [...text].every((character, at) => bytes[at] === character.charCodeAt(0));
