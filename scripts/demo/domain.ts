import { txtData } from "../stack/dns/zone-file.ts";
import type { DemoClients } from "./clients.ts";

interface Domain {
  id: string;
  domain: string;
  records: { purpose: string; type: string; host: string; expected: string }[];
}

/** Adds a domain as its owner would: through the API, with its records in the local stack's DNS. */
export async function verifyDomain(
  api: DemoClients["api"],
  dnsUrl: string,
  name: string,
): Promise<void> {
  const domain = (await api("POST", "/api/v1/mailer/domains", { domain: name })) as Domain;
  const response = await fetch(`${dnsUrl}/zones/${name}`, { method: "PUT", body: zoneOf(domain) });
  if (!response.ok) throw new Error(`The zone of ${name} was refused: ${await response.text()}`);
  const reply = (await api("POST", `/api/v1/mailer/domains/${domain.id}/verify`)) as {
    status: string;
  };
  if (reply.status !== "verified") throw new Error(`${name} is ${reply.status}, not verified.`);
  console.log(`  ${name} verified; its zone: ${dnsUrl}/zones/${name}`);
}

/** SPF and MX name the mailbox's provider, which here is this machine. */
function zoneOf({ domain, records }: Domain): string {
  return `${records
    .map(({ purpose, type, host, expected }) => {
      const data = type === "TXT" ? txtData(expected) : `${expected}.`;
      if (purpose === "spf") return `${host}. TXT "v=spf1 ip4:127.0.0.1 -all"`;
      if (purpose === "mx") return `${host}. MX 10 mx.${domain}.`;
      return `${host}. ${type} ${data}`;
    })
    .join("\n")}\n`;
}
