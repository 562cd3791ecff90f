import { spawn, spawnSync } from "node:child_process";
import * as path from "node:path";

export interface PythonBought {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
  receipt: { success: boolean; transaction: string; network: string; payer: string } | null;
}

const SCRIPT = path.join(import.meta.dirname, "python-buyer.py");
const NEEDED = "import importlib.util as u, sys; sys.exit(not all(map(u.find_spec, sys.argv[1:])))";

/** A Python with x402's official client (`pip install "x402[evm]"`): `X402_PYTHON`, or python3; null without it. */
export function findPythonBuyer(): string | null {
  const python = process.env["X402_PYTHON"] || "python3";
  const found = spawnSync(python, ["-c", NEEDED, "x402", "eth_account", "requests"]);
  return found.status === 0 ? python : null;
}

/** Buys one after the other, with the wallet of this key, at the time that it is here. */
export async function buyWithPython(
  python: string,
  from: { baseUrl: string; privateKey: string },
  orders: { path: string; body: unknown }[],
): Promise<PythonBought[]> {
  const child = spawn(python, [SCRIPT], { stdio: ["pipe", "pipe", "pipe"] });
  const [output, complaints]: string[][] = [[], []];
  child.stdout.setEncoding("utf8").on("data", (text: string) => output!.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => complaints!.push(text));
  const { baseUrl: base_url, privateKey: private_key } = from;
  child.stdin.end(JSON.stringify({ base_url, private_key, now: Date.now() / 1000, orders }));
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new Error(`the Python buyer ended with ${code}: ${complaints!.join("")}`);
  return JSON.parse(output!.join("")) as PythonBought[];
}
