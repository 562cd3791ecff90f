import { exampleOf } from "./examples.ts";
import { type Content, type Description, everyOperation, type Ref } from "./model.ts";

/** What the description lacks for its readers, in words for the operation's author. */
export function gapsOf(description: Description): string[] {
  const { schemas } = description.components;
  const untold = description.tags
    .filter((tag) => tag.description === "")
    .map(({ name }) => `The tag ${name} has no description: src/http/openapi/tags.ts.`);
  const bare = everyOperation(description).flatMap(({ operationId, requestBody, responses }) => {
    const main = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
    return [...lackingIn(requestBody), ...lackingIn(main)].map(
      (field) =>
        `${operationId} lacks an example, for want of ${field}: give it a word in src/http/openapi/words.ts, or the operation an \`example\`.`,
    );
  });
  return [...untold, ...new Set(bare)];

  function lackingIn(content: Content | Ref | undefined): string[] {
    if (content === undefined || "$ref" in content) return [];
    return Object.entries(content.content ?? {}).flatMap(([type, media]) => {
      if (media.example !== undefined || media.examples !== undefined) return [];
      return [exampleOf(media.schema ?? {}, schemas, "answered").lacking || `a ${type} body`];
    });
  }
}
