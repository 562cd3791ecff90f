CREATE TABLE "wallet_payments" (
	"payer" text NOT NULL,
	"nonce" text NOT NULL,
	"state" text NOT NULL,
	"payment_hash" text NOT NULL,
	"body_hash" text NOT NULL,
	"call" text NOT NULL,
	"amount" integer NOT NULL,
	"claim_token" uuid NOT NULL,
	"lease_until" timestamp (3) with time zone NOT NULL,
	"payment" jsonb NOT NULL,
	"requirements" jsonb NOT NULL,
	"valid_before" timestamp (3) with time zone NOT NULL,
	"answer_status" integer,
	"answer_body" text,
	"transaction" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "wallet_payments_payer_nonce_pk" PRIMARY KEY("payer","nonce"),
	CONSTRAINT "wallet_payments_state" CHECK ("wallet_payments"."state" in ('claimed', 'settling', 'settled'))
);
--> statement-breakpoint
CREATE INDEX "wallet_payments_open" ON "wallet_payments" USING btree ("lease_until") WHERE "wallet_payments"."state" in ('claimed', 'settling');--> statement-breakpoint
CREATE INDEX "wallet_payments_answers" ON "wallet_payments" USING btree ("settled_at") WHERE "wallet_payments"."answer_body" is not null and "wallet_payments"."state" = 'settled';