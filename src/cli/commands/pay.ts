import * as path from "node:path";
import { pathToFileURL } from "node:url";
import { paid, type PaidCalls, type Signer } from "../../sdk/index.ts";
import { type Command, readArgs } from "../command.ts";
import { EXIT, Refusal } from "../refusal.ts";
import { access } from "../settings.ts";
import { plain } from "../terminal.ts";

export const pay: Command = {
  usage: "pay CALL [FIELD=VALUE]... --signer MODULE [--most MILLIONTHS] [--url URL]",
  about: "buys a call from a wallet; MODULE exports what viem's accounts are, as its default",
  async run(args, terminal) {
    const options = {
      signer: { type: "string" },
      most: { type: "string", default: "100000" },
      url: { type: "string" },
    } as const;
    const { values, words } = readArgs(args, options, { min: 1, max: 20 });
    const [call, ...fields] = words as [keyof PaidCalls, ...string[]];
    if (values.signer === undefined) throw new Refusal("Say who signs: --signer MODULE");
    if (!/^\d{1,12}$/.test(values.most)) throw new Refusal("--most takes millionths of a USDC.");
    const signer = await readSigner(values.signer);
    const baseUrl = values.url ?? (process.env["OVERTURE_URL"] || access().baseUrl);
    const buy = paid(signer, { baseUrl, most: Number(values.most) });
    const { answer, receipt } = await buy(call, bodyOf(fields) as never);
    if (values.json) terminal.out(JSON.stringify({ answer, receipt }));
    else {
      terminal.out(plain(JSON.stringify(answer)));
      terminal.out(
        receipt === null
          ? "Nothing was charged."
          : `paid on ${plain(receipt.network)}, transaction ${plain(receipt.transaction)}`,
      );
    }
    return EXIT.same;
  },
};

function bodyOf(fields: string[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field) => {
      const at = field.indexOf("=");
      if (at < 1) throw new Refusal(`${plain(field)} is no FIELD=VALUE`);
      const text = field.slice(at + 1);
      // Numbers and lists are written as JSON has them; all else is text.
      const isJson = /^(-?\d+(\.\d+)?|[[{].*)$/s.test(text);
      try {
        return [field.slice(0, at), isJson ? (JSON.parse(text) as unknown) : text];
      } catch {
        throw new Refusal(`${plain(field)} is no JSON behind the sign`);
      }
    }),
  );
}

async function readSigner(file: string): Promise<Signer> {
  let module: { default?: Partial<Signer> };
  try {
    module = (await import(pathToFileURL(path.resolve(file)).href)) as typeof module;
  } catch (error) {
    throw new Refusal(`${file}: ${(error as Error).message}`);
  }
  const signer = module.default;
  if (typeof signer?.signTypedData !== "function" || typeof signer.address !== "string")
    throw new Refusal(`${file}: its default export has no address and signTypedData`);
  return signer as Signer;
}
