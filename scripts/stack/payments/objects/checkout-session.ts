import type { Stripe } from "stripe";
import { newId, type State } from "../books.ts";
import type { Checkout } from "../model.ts";
import type { LineItemParameters } from "../session-parameters.ts";

type Session = Stripe.Checkout.Session;

/** https://docs.stripe.com/api/checkout/sessions/object */
export function checkoutSession(state: State, checkout: Checkout): Session {
  const { asked } = checkout;
  const isOpen = checkout.status === "open";
  return {
    ...unused,
    id: checkout.id,
    object: "checkout.session",
    amount_subtotal: checkout.amount,
    amount_total: checkout.amount,
    allow_promotion_codes: asked.allow_promotion_codes ?? null,
    billing_address_collection: asked.billing_address_collection ?? null,
    cancel_url: asked.cancel_url ?? null,
    client_reference_id: asked.client_reference_id ?? null,
    created: checkout.created,
    currency: checkout.currency,
    customer_creation: asked.customer_creation ?? "if_required",
    customer_details: customerDetails(checkout),
    customer_email: asked.customer_email ?? null,
    expires_at: checkout.expiresAt,
    livemode: false,
    locale: (asked.locale ?? null) as Session["locale"],
    metadata: asked.metadata ?? {},
    mode: "payment",
    payment_intent: checkout.payment,
    payment_method_types: asked.payment_method_types ?? ["card", "us_bank_account"],
    payment_status: checkout.paymentStatus,
    status: checkout.status,
    submit_type: asked.submit_type ?? null,
    success_url: asked.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: "hosted_page",
    url: isOpen ? `${state.url()}/pay/${checkout.id}` : null,
  };
}

function customerDetails({ status, asked }: Checkout): Session["customer_details"] {
  if (status !== "complete" && asked.customer_email === undefined) return null;
  return {
    address: null,
    business_name: null,
    email: asked.customer_email ?? "buyer@example.com",
    individual_name: null,
    name: null,
    phone: null,
    tax_exempt: "none",
    tax_ids: null,
  };
}

/** https://docs.stripe.com/api/checkout/sessions/line_items; a price made inline is not active. */
export function lineItems({ created, asked, id }: Checkout): Stripe.LineItem[] {
  return asked.line_items.map((item, index) => lineItem(item, created, `li_${id}_${index}`));
}

function lineItem(item: LineItemParameters, created: number, id: string): Stripe.LineItem {
  const { price_data: price, quantity = 1 } = item;
  const amount = price.unit_amount * quantity;
  return {
    id,
    object: "item",
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price.currency,
    description: price.product_data.name,
    metadata: item.metadata ?? {},
    price: inlinePrice(item, created, id),
    quantity,
  };
}

function inlinePrice(
  { price_data: price }: LineItemParameters,
  created: number,
  id: string,
): Stripe.Price {
  return {
    id: `price_${id}`,
    object: "price",
    active: false,
    billing_scheme: "per_unit",
    created,
    currency: price.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: null,
    product: `prod_${id}`,
    recurring: null,
    tax_behavior: price.tax_behavior ?? "unspecified",
    tiers_mode: null,
    transform_quantity: null,
    type: "one_time",
    unit_amount: price.unit_amount,
    unit_amount_decimal: String(price.unit_amount) as unknown as Stripe.Decimal,
  };
}

export const newCheckoutId = () => newId("cs_test_", 58);

/** What a session has besides, for payments that no one here makes. */
const unused = {
  adaptive_pricing: { enabled: false },
  after_expiration: null,
  allowed_payment_method_types: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: {
    after_submit: null,
    shipping_address: null,
    submit: null,
    terms_of_service_acceptance: null,
  },
  customer: null,
  customer_account: null,
  discounts: [],
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  managed_payments: null,
  origin_context: null,
  payment_link: null,
  payment_method_collection: "if_required",
  payment_method_configuration_details: null,
  payment_method_options: {},
  permissions: null,
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  subscription: null,
  wallet_options: null,
} satisfies Partial<Session>;
