/**
 * `npm run docs:conformance` writes docs/conformance.md: each sentence of the contract with the test that goes red when
 * it is broken, and each operation with what the specification says of it; `--check` says whether it is still true.
 */
import { type Sentence, sentences } from "../test/conformance/sentences.ts";
import { type Row, table } from "../test/conformance/table.ts";
import { writeGenerated } from "./generated.ts";

const cell = (text: string) => text.replaceAll("|", "\\|");
const sentenceLine = ({ sentence, file, test }: Sentence) =>
  `| ${cell(sentence)} | \`test/${file}\`: ${cell(test)} |`;
const operationLine = ([name, { status, also = [], access, errors }]: [string, Row]) =>
  `| \`${name}\` | ${[status, ...also].join(", ")} | ${access} | ${errors} |`;

const sections = Object.entries(sentences).map(
  ([name, rows]) => `### ${name}

| sentence | test |
| --- | --- |
${rows.map(sentenceLine).join("\n")}
`,
);
const count = Object.values(sentences).flat().length;
const text = `# Conformance

Made by \`npm run docs:conformance\` from \`test/conformance/sentences.ts\` and \`test/conformance/table.ts\`, which were written from the specification and not from the code. The tests named here are run by \`npm test\`, which fails where one of them is gone.

## Sentences

${count} sentences of the contract. \`%s\` stands where one test is run for many cases.

${sections.join("\n")}
## Operations

${Object.keys(table).length} operations of version 1: status of success, who may call, which error body it speaks. Each is tried with no, a wrong and a revoked credential, another content type, a body that is too large, malformed or of the wrong type, an id that is none or another workspace's, hostile bodies and queries, and another method (\`test/conformance/\`); version 2 is the same routes with problems, pages and idempotency keys.

| operation | success | who | errors |
| --- | --- | --- | --- |
${Object.entries(table).map(operationLine).join("\n")}
`;

writeGenerated({
  name: "docs/conformance.md",
  text,
  what: `${count} sentences, ${Object.keys(table).length} operations`,
  of: "the tests",
  command: "npm run docs:conformance",
});
