import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";

export interface MadeRecord {
  ip?: string;
  count?: number;
  dkim?: string;
  spf?: string;
  disposition?: string;
  from?: string;
  /** `domain/selector/result` of each signature. */
  signatures?: string[];
  /** Of the envelope, passed. */
  envelope?: string;
  override?: string;
}

export interface MadeReport {
  reporter?: string;
  id?: string;
  begin?: Date;
  domain?: string;
  policy?: string;
  records?: MadeRecord[];
}

/** A report as RFC 7489 appendix C has it, of one day. */
export function aggregateXml({
  reporter = "receiver.zz",
  id = "1",
  begin = new Date("2027-01-03T00:00:00Z"),
  domain = "example.zz",
  policy = "none",
  records = [{}],
}: MadeReport = {}): string {
  const seconds = begin.getTime() / 1000;
  return `<?xml version="1.0" encoding="UTF-8"?>
<feedback><version>1.0</version>
<report_metadata><org_name>${reporter}</org_name><email>dmarc@${reporter}</email><report_id>${id}</report_id>
<date_range><begin>${seconds}</begin><end>${seconds + 86_399}</end></date_range></report_metadata>
<policy_published><domain>${domain}</domain><adkim>r</adkim><aspf>r</aspf><p>${policy}</p><sp>none</sp><pct>100</pct></policy_published>
${records.map((record) => recordXml(record, domain)).join("\n")}</feedback>`;
}

function recordXml(record: MadeRecord, domain: string): string {
  const { ip = "192.0.2.1", count = 1, dkim = "fail", spf = "fail", disposition = "none" } = record;
  const { from = domain, signatures = [], envelope, override } = record;
  const signed = signatures.map((signature) => {
    const [signer, selector, result = "pass"] = signature.split("/");
    return `<dkim><domain>${signer}</domain><selector>${selector}</selector><result>${result}</result></dkim>`;
  });
  const reason = override ? `<reason><type>${override}</type><comment>x</comment></reason>` : "";
  return `<record><row><source_ip>${ip}</source_ip><count>${count}</count><policy_evaluated><disposition>${disposition}</disposition><dkim>${dkim}</dkim><spf>${spf}</spf>${reason}</policy_evaluated></row>
<identifiers><header_from>${from}</header_from></identifiers>
<auth_results>${signed.join("")}${envelope ? `<spf><domain>${envelope}</domain><scope>mfrom</scope><result>pass</result></spf>` : ""}</auth_results></record>`;
}

/** A mail that has the file attached, or is it. */
export function reportMail(
  file: Uint8Array | string,
  {
    type = "application/octet-stream",
    isWhole = false,
    subject = "Report domain: example.zz",
  } = {},
): Buffer {
  const lines = Buffer.from(file).toString("base64").replace(/.{76}/g, "$&\r\n");
  const head = `From: dmarc@receiver.zz\r\nTo: dmarc@reports.overture.zz\r\nSubject: ${subject}\r\nMIME-Version: 1.0\r\n`;
  const part = `Content-Type: ${type}; name="a!b!1!2"\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines}\r\n`;
  if (isWhole) return Buffer.from(head + part);
  return Buffer.from(
    `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nThis is an aggregate report.\r\n--b\r\n${part}--b--\r\n`,
  );
}

export const zipped = (files: Record<string, string>): Uint8Array =>
  zipSync(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])),
  );

export const gzipped = (text: string | Buffer): Buffer => gzipSync(text);
