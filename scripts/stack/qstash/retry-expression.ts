/**
 * The arithmetic of `Upstash-Retry-Delay` (https://upstash.com/docs/qstash/features/retry):
 * numbers, + - * / %, parentheses, the variable `retried` and nine functions.
 */
export type RetryExpression = (retried: number) => number;

const FUNCTIONS: Readonly<Record<string, { arity: number; apply: (...args: number[]) => number }>> =
  {
    pow: { arity: 2, apply: Math.pow },
    sqrt: { arity: 1, apply: Math.sqrt },
    abs: { arity: 1, apply: Math.abs },
    exp: { arity: 1, apply: Math.exp },
    floor: { arity: 1, apply: Math.floor },
    ceil: { arity: 1, apply: Math.ceil },
    round: { arity: 1, apply: Math.round },
    min: { arity: 2, apply: Math.min },
    max: { arity: 2, apply: Math.max },
  };

const OPERATORS: Readonly<
  Record<string, { level: number; apply: (a: number, b: number) => number }>
> = {
  "+": { level: 1, apply: (a, b) => a + b },
  "-": { level: 1, apply: (a, b) => a - b },
  "*": { level: 2, apply: (a, b) => a * b },
  "/": { level: 2, apply: (a, b) => a / b },
  "%": { level: 2, apply: (a, b) => a % b },
};

/** Compiles an expression in milliseconds; throws an Error that says what is wrong. */
export function parseRetryExpression(source: string): RetryExpression {
  const tokens = source.match(/\d+(\.\d+)?|\.\d+|[a-z]+|[-+*/%(),]|\S/gi) ?? [];
  let index = 0;
  const expect = (wanted: string) => {
    const found = tokens[index++];
    if (found !== wanted) throw new Error(`expected "${wanted}", found "${found ?? "the end"}"`);
  };

  const parseOperators = (level: number): RetryExpression => {
    let left = level > 2 ? parseTerm() : parseOperators(level + 1);
    for (;;) {
      const operator = OPERATORS[tokens[index] ?? ""];
      if (operator === undefined || operator.level !== level) return left;
      index++;
      const [a, b] = [left, parseOperators(level + 1)];
      left = (retried) => operator.apply(a(retried), b(retried));
    }
  };

  const parseTerm = (): RetryExpression => {
    const token = tokens[index++] ?? "";
    if (token === "-") {
      const operand = parseTerm();
      return (retried) => -operand(retried);
    }
    if (token === "(") {
      const inner = parseOperators(1);
      expect(")");
      return inner;
    }
    if (/^[\d.]/.test(token)) return () => Number(token);
    if (token === "retried") return (retried) => retried;
    return parseCall(token);
  };

  const parseCall = (name: string): RetryExpression => {
    if (!Object.hasOwn(FUNCTIONS, name)) throw new Error(`unknown "${name || "the end"}"`);
    const { arity, apply } = FUNCTIONS[name]!;
    expect("(");
    const args = [parseOperators(1)];
    while (args.length < arity) {
      expect(",");
      args.push(parseOperators(1));
    }
    expect(")");
    return (retried) => apply(...args.map((argument) => argument(retried)));
  };

  const expression = parseOperators(1);
  if (index < tokens.length) throw new Error(`unexpected "${tokens[index]}"`);
  return expression;
}
