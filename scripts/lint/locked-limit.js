// A select with a limit that locks its rows is a CTE. Anywhere else Postgres may run it again for each row outside it, and
// each run passes over what the statement has changed already and takes others: more than the limit. A CTE that locks
// is run once, whatever the statistics.
import * as path from "node:path";

const LOCK = /\bfor\s+(no\s+key\s+update|update|key\s+share|share)\b/gi;
const LIMIT = /\b(limit|fetch\s+(first|next))\b/i;

/** Of a statement's text up to a lock: what stands in the innermost parentheses around it, and before those; null outside of any. */
function around(text) {
  let own = "";
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === ")") depth++;
    else if (text[at] === "(" && depth === 0) return { own, before: text.slice(0, at) };
    else if (text[at] === "(") depth--;
    else if (depth === 0) own = text[at] + own;
  }
  return { own, before: null };
}

const CTE = /\bas(\s+(not\s+)?materialized)?\s*$/i;

const isCallOf = (node, name) =>
  node?.type === "CallExpression" &&
  node.callee.type === "MemberExpression" &&
  node.callee.property.name === name;

const lockedLimit = {
  meta: { type: "problem", docs: { description: "What locks under a limit is a CTE." } },
  create(context) {
    const file = path.relative(context.cwd, context.filename).split(path.sep).join("/");
    if (!/^(src|db|functions)\//.test(file)) return {};
    const report = (node) =>
      context.report({
        node,
        message:
          "what locks rows under a limit stands in a CTE (with due as (...) update ... from due): a sub-select may run again for each row",
      });
    return {
      TaggedTemplateExpression(node) {
        const text = node.quasi.quasis.map(({ value }) => value.raw).join("?");
        for (const { index } of text.matchAll(LOCK)) {
          const { own, before } = around(text.slice(0, index));
          // At the top of its template it is a fragment, unless it is what a builder's CTE is made of.
          const stands = before === null ? isCallOf(node.parent, "as") : CTE.test(before);
          if (LIMIT.test(own) && !stands) return report(node);
        }
      },
      CallExpression(node) {
        if (!isCallOf(node, "for")) return;
        let whole = node;
        while (whole.parent.type === "MemberExpression") whole = whole.parent.parent;
        let hasLimit = false;
        for (let call = whole; call?.type === "CallExpression"; call = call.callee.object)
          hasLimit ||= isCallOf(call, "limit");
        if (hasLimit && !isCallOf(whole.parent, "as")) report(node);
      },
    };
  },
};

export default { meta: { name: "claims" }, rules: { "locked-limit": lockedLimit } };
