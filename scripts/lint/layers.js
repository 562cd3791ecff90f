// The house's layers and the floors of its districts as two tables, and the lint rules that hold them: which layer and
// which district may import which, and no clock or randomness of one's own. docs/design/architecture.md draws them.
import * as path from "node:path";

/** Read from top to bottom: a file belongs to the first layer whose pattern it matches. */
const layers = [
  { name: "prober", files: /^functions\/smtp-prober\// },
  { name: "worker", files: /^src\/worker\.ts$/ },
  { name: "router entry", files: /^src\/router\/router-worker\.ts$/ },
  // The Worker before the cells: a program of its own, which has no database.
  { name: "router", files: /^src\/router\// },
  { name: "app", files: /^src\/app\.ts$/ },
  { name: "wiring", files: /^src\/wiring\.ts$/ },
  { name: "system", files: /^src\/platform\/system\.ts$/ },
  { name: "platform", files: /^src\/platform\// },
  { name: "deps", files: /^src\/deps\.ts$/ },
  { name: "config", files: /^src\/config(\.ts$|\/)/ },
  // Runs in the browser, and talks to the rest by HTTP alone.
  { name: "console", files: /^src\/console\// },
  // Published for others' programs, and made of nothing else here: docs/sdk.md.
  { name: "sdk", files: /^src\/sdk\// },
  { name: "cli", files: /^src\/cli\// },
  { name: "routes", files: /^src\/routes\// },
  // A client of the API in the same process.
  { name: "mcp", files: /^src\/mcp\// },
  { name: "http", files: /^src\/http\// },
  { name: "domain", files: /^src\/domain\// },
  // Pure: bytes and text in, bytes and text out.
  { name: "library", files: /^src\/(mime|csv)\// },
  { name: "provider interface", files: /^src\/providers\/[^/]+\/index\.ts$/ },
  { name: "provider", files: /^src\/providers\// },
  // Other files right under src (errors.ts and the like) are the ground everybody stands on.
  { name: "ground", files: /^src\/[^/]+\.ts$/ },
  { name: "functions", files: /^functions\// },
  { name: "db", files: /^db\// },
  { name: "scripts", files: /^scripts\// },
  { name: "test", files: /^test\// },
];

const everything = layers.map((layer) => layer.name);
/** What everybody stands on: errors, and the platform's types and pure pieces. */
const base = ["ground", "platform", "library"];
const product = everything.filter(
  (name) => !["scripts", "test", "prober", "console", "sdk", "cli"].includes(name),
);

/** Which layers a layer may import, besides itself. `types` may be imported as types only. */
const mayImport = {
  worker: { values: product },
  "router entry": { values: ["router", "system", "domain", ...base] },
  router: { values: ["http", "domain", ...base] },
  app: { values: product.filter((name) => !["worker", "db", "system"].includes(name)) },
  wiring: { values: product.filter((name) => !["worker", "app", "routes"].includes(name)) },
  system: { values: base },
  library: { values: ["ground", "platform"] },
  platform: { values: ["ground"], types: ["provider interface"] },
  deps: { values: base, types: ["db", "provider interface", "config", "domain"] },
  config: { values: base, types: ["provider interface", "provider"] },
  routes: { values: ["http", "domain", "deps", ...base], types: ["app", "provider interface"] },
  mcp: { values: ["http", "domain", "deps", ...base], types: ["provider interface"] },
  http: { values: ["domain", "deps", "config", ...base], types: ["app", "provider interface"] },
  domain: { values: ["db", "provider interface", "deps", ...base] },
  "provider interface": { values: base, types: ["deps"] },
  provider: { values: ["provider interface", ...base], types: ["deps"] },
  ground: { values: [], types: ["platform"] },
  functions: { values: ["http", "domain", "deps", ...base] },
  db: { values: base },
  console: { values: [] },
  // The console's client has the same types.
  sdk: { values: [], types: ["console"] },
  cli: { values: ["sdk"] },
  prober: { values: ["domain", "provider interface", "provider", "system", ...base] },
  scripts: { values: everything },
  test: { values: everything.filter((name) => !["worker", "router entry"].includes(name)) },
};

/** Packages a layer may not import. */
const forbiddenPackages = {
  domain: /^(hono|@hono\/|drizzle-orm|@neondatabase\/|@upstash\/|stripe$|@x402\/|viem)/,
  functions: /^(hono|@hono\/|drizzle-orm|@neondatabase\/|@upstash\/|stripe$|@x402\/|viem)/,
  console: /^(?!(preact|preact\/hooks|@preact\/signals)$)/,
  sdk: /^(?!\.)/,
  cli: /^(?!\.|node:)/,
  routes: /^(drizzle-orm|@neondatabase\/|@upstash\/|stripe$|viem)/,
  mcp: /^(@hono\/|drizzle-orm|@neondatabase\/|@upstash\/|stripe$|viem)/,
  http: /^(drizzle-orm|@neondatabase\/|stripe$|viem)/,
  provider: /^(hono|@hono\/|drizzle-orm|@neondatabase\/)/,
  "provider interface": /^(hono|@hono\/|drizzle-orm|@neondatabase\/)/,
  db: /^(hono|@hono\/|@upstash\/|stripe$)/,
};

/** Layers that are the machine's clock and chance themselves, or run outside the Worker. */
const mayReadAmbient = new Set(["system", "prober", "console", "sdk", "cli", "scripts", "test"]);

/**
 * The districts of src/domain and of db, floor by floor from the top. A district imports from the floors below its own
 * and from no neighbour, so nothing runs back up and no two import each other; a new one is entered here. SQL joins
 * across districts, so that the floors of db are others: what several write with is a fragment in db/base.
 */
const floors = {
  "src/domain": [
    ["jobs"],
    ["messages"],
    ["replies"],
    ["workspace"],
    ["network"],
    ["campaigns"],
    ["engine"],
    ["research"],
    ["senders"],
    ["people"],
    ["billing"],
    ["access"],
  ],
  db: [
    ["messages", "network"],
    ["senders"],
    ["campaigns", "replies"],
    ["access", "people", "workspace"],
    ["billing", "engine", "research"],
    ["base"],
    ["schema", "migrations"],
  ],
};

function checkDistricts(target, file) {
  for (const [root, order] of Object.entries(floors)) {
    const [from, to] = [file, target].map((each) =>
      each.startsWith(`${root}/`) ? /^([^/]+)\//.exec(each.slice(root.length + 1))?.[1] : undefined,
    );
    if (from === undefined || to === undefined || from === to) continue;
    const floorOf = (district) => order.findIndex((districts) => districts.includes(district));
    const unknown = [from, to].find((district) => floorOf(district) === -1);
    if (unknown !== undefined)
      return `the district "${unknown}" of ${root} stands on no floor: enter it in scripts/lint/layers.js`;
    if (floorOf(to) <= floorOf(from))
      return `the district "${from}" may not import "${to}" (${target}), which stands on its floor or above`;
  }
  return null;
}

const layerOf = (file) => layers.find((layer) => layer.files.test(file));

function fileOf(context) {
  return path.relative(context.cwd, context.filename).split(path.sep).join("/");
}

/** The file of this repository that an import names, or null for a package. */
function targetOf(specifier, file) {
  if (specifier.startsWith("#")) return specifier.slice(1);
  if (specifier.startsWith(".")) return path.posix.join(path.posix.dirname(file), specifier);
  return null;
}

function checkPackage(specifier, layer) {
  const runsInWorkerd = product.includes(layer.name);
  if (runsInWorkerd && specifier.startsWith("node:"))
    return `"${specifier}" does not belong in ${layer.name}: it runs in workerd, with Web APIs only`;
  if (layer.name !== "worker" && runsInWorkerd && specifier.startsWith("cloudflare:"))
    return `only src/worker.ts imports "${specifier}"`;
  if (forbiddenPackages[layer.name]?.test(specifier))
    return `the layer "${layer.name}" may not import the package "${specifier}"`;
  return null;
}

function checkImport(specifier, file, layer, isType) {
  const target = targetOf(specifier, file);
  if (target === null) return checkPackage(specifier, layer);
  if (target.endsWith(".test.ts")) return "a test file is not to be imported";
  const reached = layerOf(target);
  if (reached === undefined || reached === layer) return checkDistricts(target, file);
  const allowed = mayImport[layer.name];
  if (
    target === "src/worker.ts" &&
    layer.name === "scripts" &&
    file !== "scripts/stack/worker-entry.ts"
  ) {
    return "only the local entry (scripts/stack/worker-entry.ts) imports src/worker.ts, which needs the Workers types";
  }
  if (allowed.values.includes(reached.name) || (isType && allowed.types?.includes(reached.name)))
    return null;
  const asTypes = allowed.types?.includes(reached.name) ? ", except as types" : "";
  return `the layer "${layer.name}" may not import "${reached.name}" (${target})${asTypes}`;
}

function isTypeOnly(node) {
  if (node.importKind === "type" || node.exportKind === "type") return true;
  const specifiers = node.specifiers ?? [];
  return (
    specifiers.length > 0 &&
    specifiers.every((each) => each.importKind === "type" || each.exportKind === "type")
  );
}

const direction = {
  meta: { type: "problem", docs: { description: "Imports point down the layers." } },
  create(context) {
    const file = fileOf(context);
    const layer = layerOf(file);
    if (layer === undefined) return {};
    const check = (node, source, isType) => {
      if (source?.type !== "Literal" || typeof source.value !== "string") return;
      const message = checkImport(source.value, file, layer, isType);
      if (message) context.report({ node: source, message });
    };
    return {
      ImportDeclaration: (node) => check(node, node.source, isTypeOnly(node)),
      ExportNamedDeclaration: (node) => node.source && check(node, node.source, isTypeOnly(node)),
      ExportAllDeclaration: (node) => check(node, node.source, isTypeOnly(node)),
      ImportExpression: (node) => check(node, node.source, false),
      TSImportType: (node) => check(node, node.source ?? node.argument, true),
    };
  },
};

const isIdentifier = (node, name) => node?.type === "Identifier" && node.name === name;

/** `object.property` pairs that read the time or chance of the machine. */
const ambientMembers = [
  ["Date", "now", "deps.clock.now()"],
  ["Math", "random", "deps.random"],
  ["crypto", "randomUUID", "deps.ids"],
  ["performance", "now", "deps.clock.now()"],
];

const sqlClock =
  /\b(now|clock_timestamp|statement_timestamp|transaction_timestamp)\s*\(\s*\)|\b(current_timestamp|localtimestamp)\b/i;

const ambient = {
  meta: {
    type: "problem",
    docs: { description: "Time and chance come through deps; SQL takes `now` as a parameter." },
  },
  create(context) {
    const layer = layerOf(fileOf(context));
    if (layer === undefined || mayReadAmbient.has(layer.name)) return {};
    const report = (node, what, instead) =>
      context.report({
        node,
        message: `${what} is not for the layer "${layer.name}": use ${instead}`,
      });
    const visitors = {
      NewExpression(node) {
        if (isIdentifier(node.callee, "Date") && node.arguments.length === 0)
          report(node, "new Date()", "deps.clock.now()");
      },
      CallExpression(node) {
        if (isIdentifier(node.callee, "Date")) report(node, "Date()", "deps.clock.now()");
        if (layer.name === "db" && isIdentifier(node.callee?.property, "defaultNow"))
          report(node, "defaultNow()", "a parameter");
      },
      MemberExpression(node) {
        // `globalThis.Date.now` counts as `Date.now`.
        const object = node.object.type === "MemberExpression" ? node.object.property : node.object;
        const found = ambientMembers.find(
          ([name, property]) => isIdentifier(object, name) && isIdentifier(node.property, property),
        );
        if (found) report(node, `${found[0]}.${found[1]}`, found[2]);
      },
    };
    if (layer.name !== "db") return visitors;
    return {
      ...visitors,
      TemplateElement(node) {
        const match = sqlClock.exec(node.value.raw);
        if (match) report(node, `${match[0]} in SQL`, "a parameter");
      },
    };
  },
};

export default { meta: { name: "layers" }, rules: { direction, ambient } };
