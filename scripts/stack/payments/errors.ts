/** An answer other than 200, in the envelope that https://docs.stripe.com/api/errors describes. */
export class StripeRefusal extends Error {
  readonly status: number;
  readonly type: string;
  readonly more: { code?: string; param?: string };
  constructor(
    status: number,
    message: string,
    more: { code?: string; param?: string } = {},
    type = "invalid_request_error",
  ) {
    super(message);
    this.status = status;
    this.more = more;
    this.type = type;
  }
}

/** 400: the request itself is wrong. */
export function badRequest(message: string, more?: { code?: string; param?: string }) {
  return new StripeRefusal(400, message, more);
}

/** 404, in Stripe's words: `No such charge: 'ch_1'`. */
export function noSuch(object: string, id: string, param: string) {
  return new StripeRefusal(404, `No such ${object}: '${id}'`, { code: "resource_missing", param });
}

export const errorBody = ({ message, type, more }: StripeRefusal) => ({
  error: { ...more, message, type },
});
