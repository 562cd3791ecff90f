import { exportFault } from "./google-faults.ts";
import { type PublicSheet, SheetsFault } from "./index.ts";

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The CSV export of a sheet that anyone with the link may read. Google answers it with one redirect, to a host of
 * googleusercontent.com; one to accounts.google.com means that the sheet is private. Nothing else is followed.
 */
export async function openExport(
  fetch: typeof globalThis.fetch,
  base: string,
  sheet: { spreadsheetId: string; gid: number | null },
  ms: number,
): Promise<PublicSheet> {
  const signal = AbortSignal.timeout(ms);
  const get = (url: string) =>
    fetch(url, { redirect: "manual", signal }).catch((error: unknown) => {
      throw new SheetsFault("unavailable", `the export did not answer: ${String(error)}`);
    });
  const query = sheet.gid === null ? "format=csv" : `format=csv&gid=${sheet.gid}`;
  const first = await get(`${base}/spreadsheets/d/${sheet.spreadsheetId}/export?${query}`);
  const response = isRedirect(first) ? await get(await targetOf(first, base)) : first;
  const type = response.headers.get("content-type") ?? "";
  if (response.status !== 200 || !type.startsWith("text/csv")) {
    await response.body?.cancel();
    if (response.status === 200)
      throw new SheetsFault("unavailable", `the export answered ${type.slice(0, 60)}`);
    throw exportFault(response.status, response.headers);
  }
  return {
    ...titlesOf(response.headers.get("content-disposition") ?? ""),
    csv: streamBounded(response),
  };
}

const isRedirect = ({ status }: Response) => status >= 300 && status < 400;

async function targetOf(response: Response, base: string): Promise<string> {
  await response.body?.cancel();
  const target = URL.parse(response.headers.get("location") ?? "", base);
  if (target?.hostname === "accounts.google.com")
    throw new SheetsFault("not_shared", "the export asks for a login");
  const isContent =
    target?.protocol === "https:" && target.hostname.endsWith(".googleusercontent.com");
  if (target === null || !(isContent || target.origin === new URL(base).origin))
    throw new SheetsFault("unavailable", `the export leads to ${target?.host ?? "nowhere"}`);
  return target.href;
}

async function* streamBounded({ body }: Response): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw new SheetsFault("unavailable", `the export broke off: ${String(error)}`);
      });
      if (done) return;
      size += value.byteLength;
      if (size > MAX_BYTES)
        throw new SheetsFault("too_large", `the export has more than ${MAX_BYTES} bytes`);
      yield value;
    }
  } finally {
    // A reader that stops early closes the connection.
    await reader.cancel().catch(() => {});
  }
}

/** The file is named `<spreadsheet> - <tab>.csv`, or `<spreadsheet>.csv` where there is one tab. */
function titlesOf(disposition: string): { title: string | null; tabTitle: string | null } {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  const name = encoded === undefined ? undefined : decode(encoded)?.replace(/\.csv$/i, "");
  const [, title, tabTitle] = /^(.*) - (.*)$/s.exec(name ?? "") ?? [];
  return { title: title ?? name ?? null, tabTitle: tabTitle ?? null };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
