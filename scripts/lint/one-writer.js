// Tables that only some files of db/ may write: what else wants a change calls them. The erasure of a workspace alone
// deletes from all of them, by their names (db/workspace/workspace-erasure.ts).
import * as path from "node:path";

/** By table: its name in SQL and in the schema, and who writes it. */
const tables = [
  {
    name: "sender_lanes",
    schema: "senderLanes",
    // lanes.ts has the verbs; the others are the engine's own statements.
    writers:
      /^db\/engine\/(lanes|claim|claim-park|claim-writes|begin|outcomes|sweep|rollover|restored)\.ts$/,
    home: "db/engine/lanes.ts",
  },
  {
    name: "outbox",
    schema: "outbox",
    writers: /^db\/base\/fragments\/outbox\.ts$/,
    home: "db/base/fragments/outbox.ts",
  },
  {
    name: "credit_balances",
    schema: "creditBalances",
    // logins.ts makes a workspace with its empty balance.
    writers: /^db\/(billing\/credits|access\/logins)\.ts$/,
    home: "db/billing/credits.ts",
  },
  ...[
    { name: "credit_entries", schema: "creditEntries" },
    { name: "credit_holds", schema: "creditHolds" },
  ].map((table) => ({
    ...table,
    writers: /^db\/billing\/credits\.ts$/,
    home: "db/billing/credits.ts",
  })),
];

const inSql = (name) => new RegExp(`\\b(update|insert\\s+into|delete\\s+from)\\s+${name}\\b`, "i");

const oneWriter = {
  meta: { type: "problem", docs: { description: "Some tables are written in one place only." } },
  create(context) {
    const file = path.relative(context.cwd, context.filename).split(path.sep).join("/");
    const foreign = tables.filter(
      ({ writers }) => /^(src|db|functions)\//.test(file) && !writers.test(file),
    );
    if (foreign.length === 0) return {};
    const report = (node, { name, home }) =>
      context.report({
        node,
        message: `only ${home} and those named in scripts/lint/one-writer.js write ${name}`,
      });
    return {
      TemplateElement(node) {
        for (const table of foreign)
          if (inSql(table.name).test(node.value.raw)) report(node, table);
      },
      CallExpression({ callee, arguments: [first] }) {
        if (callee.type !== "MemberExpression" || first?.type !== "Identifier") return;
        if (!["insert", "update", "delete"].includes(callee.property.name)) return;
        const table = foreign.find(({ schema }) => schema === first.name);
        if (table !== undefined) report(first, table);
      },
    };
  },
};

export default { meta: { name: "writers" }, rules: { "one-writer": oneWriter } };
