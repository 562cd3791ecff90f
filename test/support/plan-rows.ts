/** A node of `explain (analyze, format json)`. */
interface Node {
  "Actual Rows": number;
  "Actual Loops": number;
  Plans?: Node[];
}

/** Rows that the parts of a plan hand on, all together. */
export const rowsIn = (node: Node): number =>
  (node.Plans ?? []).reduce(
    (sum, part) => sum + rowsIn(part),
    node["Actual Rows"] * node["Actual Loops"],
  );
