// Of what is handed on whole a bundler keeps all: `import { z } from "zod"` is fifty languages, 180 kB.
import * as path from "node:path";

const zodNamespace = {
  meta: { type: "problem", docs: { description: "zod is imported as a namespace." } },
  create(context) {
    const file = path.relative(context.cwd, context.filename).split(path.sep).join("/");
    if (!/^(src|db|functions)\//.test(file)) return {};
    return {
      ImportDeclaration(node) {
        if (node.source.value !== "zod") return;
        if (node.specifiers.every(({ type }) => type === "ImportNamespaceSpecifier")) return;
        context.report({
          node,
          message: 'import * as z from "zod", or the bundle holds all of it',
        });
      },
    };
  },
};

export default { meta: { name: "zod" }, rules: { namespace: zodNamespace } };
