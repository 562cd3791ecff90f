import * as z from "zod";
import { Refusal } from "../api.ts";
import { PAID_CALLS, type PaidCall } from "#src/domain/billing/wallet/prices.ts";
import { buy } from "../payment.ts";
import { isSold, mayUse, type Tool, tool } from "../tool.ts";

interface Data<S extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: S;
  sells: PaidCall;
  /** The operation that does it for a workspace's credits; null where wallets alone can buy it. */
  onCredits: string | null;
}

const USDC = 1_000_000;

/** A tool that a wallet pays for by the call, or a workspace with its credits; a payment that comes is what is used. */
function data<S extends z.ZodObject>(of: Data<S>): Tool {
  const { sells, onCredits, description } = of;
  const price = `Costs ${PAID_CALLS[sells].amount / USDC} USDC by x402`;
  const way = onCredits === null ? `${price}.` : `${price}, or credits with a key.`;
  return tool({
    ...of,
    description: `${description} ${way}`,
    scopes: onCredits === null ? [] : ["verify:run"],
    hints: { reachesOut: true },
    run: async (asker, given) => {
      const { principal, payment, api } = asker;
      const hasCredits = principal !== null && mayUse(principal, "verify:run");
      if (payment === undefined && hasCredits && onCredits !== null)
        return api.post(onCredits, given);
      if (!isSold(asker.deps))
        throw new Refusal({ code: "NOT_CONFIGURED", message: "This deployment sells no calls." });
      return buy(asker, sells, given);
    },
  });
}

const email = z.object({ email: z.string().max(320) });

export const dataTools = [
  data({
    name: "verify_email",
    title: "Verify an address",
    description:
      "Whether mail to an address would arrive, by asking its mail host. While status is pending call again: it costs nothing more.",
    input: email,
    sells: "email/verify",
    onCredits: "/email-finder/verify",
  }),
  data({
    name: "validate_email",
    title: "Judge an address",
    description: "Syntax, lists and mail hosts of an address, as one level of risk.",
    input: email,
    sells: "email/validate",
    onCredits: null,
  }),
  data({
    name: "find_email",
    title: "Find an address",
    description: "Somebody's address at a domain: by first_name and last_name, or of candidates.",
    input: z.object({
      domain: z.string().max(255),
      first_name: z.string().max(100).optional(),
      last_name: z.string().max(100).optional(),
      candidates: z
        .array(z.object({ email: z.string().max(320) }))
        .max(20)
        .optional(),
    }),
    sells: "email/find",
    onCredits: "/email-finder/find",
  }),
  data({
    name: "find_profile",
    title: "Find a profile",
    description: "Somebody's public profile, by asking search engines.",
    input: z.object({
      name: z.string().max(200),
      company: z.string().max(200).optional(),
      location: z.string().max(100).optional(),
    }),
    sells: "linkedin/find-url",
    onCredits: "/profile-finder/find",
  }),
  data({
    name: "search_prospects",
    title: "Search prospects",
    description: "People of the shared pool by tags; whom most of them fit comes first.",
    input: z.object({
      tags: z.array(z.string().max(100)).min(1).max(20),
      limit: z.number().min(1).max(100).optional(),
    }),
    sells: "prospects/search",
    onCredits: "/prospects/search",
  }),
];
