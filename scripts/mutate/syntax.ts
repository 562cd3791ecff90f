import { parseSync } from "rolldown/utils";

/** A node of the ESTree, as far as breakings look at it; offsets count UTF-16 units. */
export interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

/** Undefined for what does not parse. */
export function parse(file: string, text: string): Node | undefined {
  const { program, errors } = parseSync(file, text);
  return errors.length > 0 ? undefined : (program as unknown as Node);
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** Around a value; every other node of TypeScript's own is a type, and does not run. */
const AROUND_VALUES = new Set([
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSInstantiationExpression",
]);

/** All nodes that run, outer before inner, each with those around it, the nearest last. */
export function walk(root: Node, visit: (node: Node, around: readonly Node[]) => void): void {
  const around: Node[] = [];
  const enter = (node: Node) => {
    if (node.type.startsWith("TS") && !AROUND_VALUES.has(node.type)) return;
    visit(node, around);
    around.push(node);
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) enter(child);
    }
    around.pop();
  };
  enter(root);
}

export const isFunction = ({ type }: Node): boolean =>
  type === "ArrowFunctionExpression" ||
  type === "FunctionExpression" ||
  type === "FunctionDeclaration";

/** The nodes around an offset, the narrowest last. */
export function nodesAt(root: Node, offset: number): Node[] {
  let found: Node[] = [];
  walk(root, (node, around) => {
    if (node.start <= offset && offset < node.end && around.length >= found.length)
      found = [...around, node];
  });
  return found;
}
