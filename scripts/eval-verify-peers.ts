/**
 * `npm run eval:verify:peers -- FOLDER [FILE...]`: other verifiers on the same farm, those of scripts/eval-verify/peers.ts
 * that are installed in FOLDER (it installs nothing). Linux and root alone: they ask the system's resolver and port 25.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const RESOLVER = "127.1.255.53";
const [folder, ...files] = process.argv.slice(2);
if (folder === undefined || process.platform !== "linux" || process.getuid?.() !== 0) {
  console.error("usage, as root on Linux: npm run eval:verify:peers -- FOLDER [FILE...]");
  process.exit(2);
}
const scratch = mkdtempSync(join(tmpdir(), "overture-peers-"));
const resolvConf = join(scratch, "resolv.conf");
writeFileSync(resolvConf, `nameserver ${RESOLVER}\noptions timeout:1 attempts:1\n`);
const inside = fileURLToPath(new URL("eval-verify/peers-inside.ts", import.meta.url));
// The mount is seen by this one process and ends with it.
const child = spawn(
  "unshare",
  [
    "--mount",
    "sh",
    "-c",
    'mount --bind "$1" /etc/resolv.conf && shift && exec "$@"',
    "sh",
    resolvConf,
    process.execPath,
    inside,
    "--resolver",
    RESOLVER,
    folder,
    ...files,
  ],
  { stdio: "inherit" },
);
const [code] = (await once(child, "close")) as [number | null];
rmSync(scratch, { recursive: true });
process.exitCode = code ?? 1;
