/** `npm run sdk:tools` installs the judges that are too heavy for everybody (docs/design/http.md, mcp.md): npm packages in test/sdk, and a Python with its own where there is one. */
import * as path from "node:path";
import { rootFolder, runCommand } from "./command.ts";

const folder = path.join(rootFolder, "test/sdk");
const python = path.join(rootFolder, ".local/sdk-python");

const steps: { name: string; run: [string, string[]][] }[] = [
  {
    name: "Redocly, openapi-typescript and the MCP inspector",
    run: [["npm", ["ci", "--ignore-scripts", "--prefix", folder]]],
  },
  {
    name: "openapi-python-client",
    run: [
      ["python3", ["-m", "venv", python]],
      [
        path.join(python, "bin/pip"),
        ["install", "--quiet", "-r", path.join(folder, "requirements.txt")],
      ],
    ],
  },
];

for (const { name, run } of steps) {
  let failed: string | null = null;
  for (const [program, args] of run) {
    const { code, output } = await runCommand(program, args);
    if (code === 0) continue;
    failed = output.trim();
    break;
  }
  console.log(failed === null ? `ok      ${name}` : `failed  ${name}\n${failed}`);
  if (failed !== null) process.exitCode = 1;
}
