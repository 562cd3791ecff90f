import type { Edit } from "./breaking.ts";
import { sqlEdits } from "./sql-edits.ts";
import { type Node, parse, walk } from "./syntax.ts";

const TURNED: Record<string, string> = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
};

/** Every breaking that this text admits, in its order. */
export function editsOf(file: string, text: string): Edit[] {
  const program = parse(file, text);
  if (!program) throw new Error(`${file} does not parse`);
  const edits: Edit[] = [];
  walk(program, (node, around) => {
    const parent = around.at(-1);
    switch (node.type) {
      case "BinaryExpression":
        edits.push(...turned(node, text));
        break;
      case "Literal":
        if (typeof node["value"] === "number" && isBound(node, around))
          edits.push(...moved(node, text));
        break;
      case "IfStatement":
        edits.push(negated(node["test"] as Node, text));
        if (isGuard(node) && parent?.type === "BlockStatement") edits.push(leftOut(node));
        break;
      case "ConditionalExpression":
        edits.push(negated(node["test"] as Node, text));
        break;
      case "LogicalExpression":
        if (node["operator"] !== "??") edits.push(...oneSided(node, text));
        break;
      case "AwaitExpression": {
        const { start } = node["argument"] as Node;
        edits.push({ kind: "await", start: node.start, end: start, to: "" });
        break;
      }
      case "ExpressionStatement":
        if (parent?.type === "BlockStatement") edits.push(leftOut(node));
        break;
      case "TaggedTemplateExpression":
        if ((node["tag"] as Node)["name"] === "sql")
          edits.push(...sqlEdits(node["quasi"] as Node, text));
        break;
    }
  });
  return edits;
}

function turned(node: Node, text: string): Edit[] {
  const operator = node["operator"] as string;
  const to = TURNED[operator];
  if (to === undefined) return [];
  const left = node["left"] as Node;
  const start = text.indexOf(operator, left.end);
  return [{ kind: "comparison", start, end: start + operator.length, to }];
}

const COMPUTED = new Set(["BinaryExpression", "UnaryExpression", "ParenthesizedExpression"]);

/** A number in a comparison, or in the value of a constant. */
function isBound(node: Node, around: readonly Node[]): boolean {
  let inner = node;
  for (const outer of around.toReversed()) {
    if (outer.type === "VariableDeclarator") return outer["init"] === inner;
    if (!COMPUTED.has(outer.type)) return false;
    if (TURNED[outer["operator"] as string] !== undefined) return true;
    inner = outer;
  }
  return false;
}

function moved(node: Node, text: string): Edit[] {
  const value = node["value"] as number;
  const { start, end } = node;
  const values = value === 0 ? [1] : [value + 1, value - 1, value * 2];
  return values
    .filter((to) => String(to) !== text.slice(start, end))
    .map((to) => ({ kind: "bound", start, end, to: String(to) }));
}

function negated({ start, end }: Node, text: string): Edit {
  return { kind: "condition", start, end, to: `!(${text.slice(start, end)})` };
}

function oneSided(node: Node, text: string): Edit[] {
  return [node["left"] as Node, node["right"] as Node].map((side) => ({
    kind: "condition",
    start: node.start,
    end: node.end,
    to: text.slice(side.start, side.end),
  }));
}

const leftOut = ({ start, end }: Node): Edit => ({ kind: "statement", start, end, to: "" });

/** Leaves early or refuses, and does nothing otherwise. */
function isGuard(node: Node): boolean {
  const { type, body } = node["consequent"] as Node;
  const last = type === "BlockStatement" ? (body as Node[]).at(-1)?.type : type;
  const leaves = ["ReturnStatement", "ThrowStatement", "ContinueStatement"];
  return node["alternate"] === null && last !== undefined && leaves.includes(last);
}
