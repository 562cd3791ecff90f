import { setTimeout as delay } from "node:timers/promises";
import { signInbound } from "#src/domain/replies/inbound/signature.ts";
import type { TestService } from "../support/service.ts";
import { type Inspector, openInspector } from "./inspector.ts";

const MB = 1_000_000;
const PATIENCE_MS = 20;

/** What `Runtime.getHeapUsage` says (https://chromedevtools.github.io/devtools-protocol/tot/Runtime/#method-getHeapUsage), in bytes. */
interface Usage {
  usedSize: number;
  /** Of array buffers and the like, which lie beside the heap. */
  backingStorageSize: number;
}

interface Large {
  name: string;
  send(service: TestService): Promise<number>;
}

/**
 * Heap and buffers of the isolate at their peak while it takes the largest bodies, alone and two at once, above what it
 * holds idle: the runtime's own figures, asked for as often as it answers. What is not collected yet is in them.
 */
export async function benchMemory(service: TestService): Promise<void> {
  const inspector = await openInspector(service.worker().inspectorPort!);
  const larges = [csv(), json(), await mail(service)];
  console.log(
    "\nMemory of the isolate above idle, MB: heap + buffers at the peak of both together",
  );
  for (const { name, send } of larges) {
    // What a first one loads for good is no part of a later one's peak.
    await send(service);
    for (const times of [1, 2]) {
      const idle = await settled(inspector);
      const peak = await watch(inspector, () =>
        Promise.all(Array.from({ length: times }, () => send(service))),
      );
      const [heap, buffers] = (["usedSize", "backingStorageSize"] as const).map((part) =>
        ((peak.usage[part] - idle[part]) / MB).toFixed(0),
      );
      console.log(
        `  ${name}${times === 2 ? ", two at once" : ""}: ${heap} + ${buffers} (idle ${(totalOf(idle) / MB).toFixed(0)}), answered ${peak.result.join(" and ")}`,
      );
    }
  }
  inspector.close();
}

const usageOf = (inspector: Inspector) => inspector.ask("Runtime.getHeapUsage") as Promise<Usage>;
const totalOf = ({ usedSize, backingStorageSize }: Usage) => usedSize + backingStorageSize;

async function settled(inspector: Inspector): Promise<Usage> {
  await delay(500);
  await inspector.ask("HeapProfiler.collectGarbage");
  return usageOf(inspector);
}

async function watch<T>(inspector: Inspector, work: () => Promise<T>) {
  let usage = await usageOf(inspector);
  let isDone = false;
  const working = work().finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const now = await usageOf(inspector);
    if (totalOf(now) > totalOf(usage)) usage = now;
    await Promise.race([working.catch(() => {}), delay(PATIENCE_MS)]);
  }
  return { usage, result: await working };
}

const rowOf = (n: number) => ({
  email: `person${n}@company${n % 5000}.example.com`,
  first_name: `First${n}`,
  last_name: `Last${n}`,
  company: `Company ${n % 5000}`,
  title: "Head of Things",
  profile_url: `https://profiles.example.com/in/person-${n}`,
  country: "Germany",
  note: "A note, with a comma",
});

/** Texts up to so many bytes in all. */
function until(bytes: number, textOf: (n: number) => string): string[] {
  const texts: string[] = [];
  for (let n = 0, size = 0; size < bytes; n++) {
    const text = textOf(n);
    texts.push(text);
    size += text.length + 1;
  }
  return texts;
}

async function importInto(service: TestService, body: BodyInit, headers: Record<string, string>) {
  const { id } = (await service.api("POST", "/api/v1/datasets", { name: "Bench" })) as {
    id: string;
  };
  const response = await fetch(`${service.baseUrl}/api/v1/datasets/${id}/import`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.access.api_key}`, ...headers },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}

function csv(): Large {
  const header = Object.keys(rowOf(0)).join(",");
  const lines = until(14 * MB, (n) =>
    Object.values(rowOf(n))
      .map((cell) => `"${cell}"`)
      .join(","),
  );
  const file = new Blob([[header, ...lines].join("\n")], { type: "text/csv" });
  const send = (service: TestService) => {
    const form = new FormData();
    form.set("file", file, "leads.csv");
    return importInto(service, form, {});
  };
  return { name: "CSV of 14 MB", send };
}

function json(): Large {
  const body = `{"rows":[${until(9.4 * MB, (n) => JSON.stringify(rowOf(n))).join(",")}]}`;
  const headers = { "content-type": "application/json" };
  return { name: "JSON of 9.4 MB", send: (service) => importInto(service, body, headers) };
}

async function mail({ stack, baseUrl }: TestService): Promise<Large> {
  const line = `${"QUJD".repeat(19)}\r\n`;
  const head = [
    "From: Ada <ada@example.com>",
    "To: max@overture.example",
    "Subject: Re: Hello",
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain",
    "",
    "Gladly.",
    "--b",
    "Content-Type: application/pdf",
    "Content-Transfer-Encoding: base64",
    "",
    "",
  ].join("\r\n");
  const secret = stack.workerEnv(baseUrl)["INBOUND_SECRET"]!;
  const to = "max@overture.example";
  const send = async (service: TestService) => {
    const mark = `X-Mark: ${Math.random()}\r\n`;
    const text = mark + head + line.repeat(Math.ceil((45 * MB) / line.length)) + "--b--\r\n";
    const raw = new TextEncoder().encode(text);
    const signature = await signInbound(secret, { at: service.stack.clock.now(), to, raw });
    const response = await fetch(`${baseUrl}/api/v1/mailer/inbound`, {
      method: "POST",
      headers: {
        "content-type": "message/rfc822",
        "x-envelope-to": to,
        "overture-signature": signature,
      },
      body: raw,
    });
    await response.arrayBuffer();
    return response.status;
  };
  return { name: "mail of 45 MB", send };
}
