import { z } from "zod";
import { flag, integer, list, metadata, parameters, text, webUrl } from "./parameters.ts";

/** https://docs.stripe.com/api/payment_intents: eight digits at most. */
const LARGEST_AMOUNT = 99_999_999;

const productData = z.strictObject({
  name: text(),
  description: text().optional(),
  images: list(webUrl, 8).optional(),
  metadata: metadata.optional(),
  tax_code: text().optional(),
  unit_label: text(12).optional(),
});

const priceData = z.strictObject({
  currency: text(3),
  product_data: productData,
  unit_amount: integer(0, LARGEST_AMOUNT),
  tax_behavior: z.enum(["exclusive", "inclusive", "unspecified"]).optional(),
});

const lineItem = z.strictObject({
  price_data: priceData,
  quantity: integer(1, 999_999).optional(),
  metadata: metadata.optional(),
});

const paymentIntentData = z.strictObject({
  metadata: metadata.optional(),
  description: text(1000).optional(),
  receipt_email: text(800).optional(),
  statement_descriptor: text(22).optional(),
  statement_descriptor_suffix: text(22).optional(),
});

/** What `POST /v1/checkout/sessions` takes here: one-time payments of inline prices on the hosted page. */
export const sessionParameters = parameters({
  mode: z.enum(["payment"]),
  ui_mode: z.enum(["hosted_page"]).optional(),
  line_items: list(lineItem),
  success_url: webUrl,
  cancel_url: webUrl.optional(),
  client_reference_id: text(200).optional(),
  customer_email: text(800).optional(),
  expires_at: integer().optional(),
  metadata: metadata.optional(),
  payment_intent_data: paymentIntentData.optional(),
  payment_method_types: list(z.enum(["card", "us_bank_account"])).optional(),
  submit_type: z.enum(["auto", "book", "donate", "pay"]).optional(),
  billing_address_collection: z.enum(["auto", "required"]).optional(),
  customer_creation: z.enum(["always", "if_required"]).optional(),
  locale: text(10).optional(),
  allow_promotion_codes: flag.optional(),
});

export type SessionParameters = z.infer<typeof sessionParameters>;
export type LineItemParameters = z.infer<typeof lineItem>;
