import { type HttpRequest, json, notFound, type Route, route } from "../page-routes.ts";
import { type Boxes, INBOX } from "./boxes.ts";
import { headerLines } from "./message-header.ts";

const MESSAGES = "/api/mailboxes/([^/]+)/messages";

/** Looking into people's mailboxes, and putting mail there that did not come by this machine. */
export function boxesApi(boxes: Boxes): Route[] {
  return [
    route("GET", "/api/mailboxes", () =>
      json(boxes.addresses().map((address) => ({ address, folders: foldersOf(boxes, address) }))),
    ),
    route("GET", MESSAGES, ({ captured, query }) => {
      const folder = boxes.folder(addressIn(captured), query.get("folder") ?? INBOX);
      return folder === undefined ? notFound() : json(folder.messages.map(shown));
    }),
    route("POST", MESSAGES, (request) => {
      const address = addressIn(request.captured);
      const raw = rawOf(request, address);
      if (!address.includes("@") || raw === null)
        return json({ error: "a message, or {from, subject, text}, to an address" }, 422);
      const folder = request.query.get("folder") ?? INBOX;
      return json({ uid: boxes.put(address, raw, { folder }).uid }, 201);
    }),
  ];
}

const addressIn = (captured: string[]): string => decodeURIComponent(captured[0] ?? "");

const foldersOf = (boxes: Boxes, address: string) =>
  boxes.folders(address).map(({ name, uidValidity, messages }) => ({
    name,
    uid_validity: uidValidity,
    messages: messages.length,
  }));

const shown = ({ uid, at, raw }: ReturnType<Boxes["put"]>) => ({
  uid,
  received_at: at,
  subject: subjectOf(raw),
  raw: Buffer.from(raw, "latin1").toString("utf8"),
});

function subjectOf(raw: string): string {
  const { lines = "" } = headerLines(raw).find(({ name }) => name === "subject") ?? {};
  return lines
    .slice(lines.indexOf(":") + 1)
    .replace(/\r\n[ \t]?/g, " ")
    .trim();
}

/** The body as a message: as it is, or written from the fields of a JSON object. */
function rawOf({ headers, body }: HttpRequest, to: string): string | null {
  if (!headers["content-type"]?.startsWith("application/json")) return body === "" ? null : body;
  const { from, subject = "", text = "" } = readObject(body);
  if (![from, subject, text].every((field) => typeof field === "string")) return null;
  return [
    `From: ${oneLine(from)}`,
    `To: ${to}`,
    `Subject: ${oneLine(subject)}`,
    `Date: ${new Date().toUTCString()}`,
    `Message-ID: <${crypto.randomUUID()}@mailbox.zz>`,
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "",
    text,
    "",
  ].join("\r\n");
}

const oneLine = (text: unknown): string => String(text).replace(/[\r\n]+/g, " ");

function readObject(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
