import { count } from "../../../pure/words.ts";

const SHOWN = 3;

/** Which events a webhook is sent. */
export function TypesOf({ types }: { types: string[] | null }) {
  if (types === null) return <>all but opens and clicks</>;
  const codes = (
    <div>
      {types.map((type) => (
        <code key={type}>{type} </code>
      ))}
    </div>
  );
  if (types.length <= SHOWN) return codes;
  return (
    <details>
      <summary>{count(types.length, "type")}</summary>
      {codes}
    </details>
  );
}
