import { createProber } from "./prober.ts";
import { readSettings } from "./settings.ts";

const settings = readSettings(process.env);
// oxlint-disable-next-line no-console -- the journal of the unit, or of the container
const log = (line: string) => console.log(line);
const server = createProber(settings, { log });
const { host, port } = settings.listen;
server.listen(port, host, () => log(`prober of ${settings.ehloName} listens on ${host}:${port}`));
for (const signal of ["SIGTERM", "SIGINT"])
  process.once(signal, () => server.close(() => process.exit(0)));
