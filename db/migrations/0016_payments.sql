CREATE TABLE "payment_events" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"type" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"pack_id" text NOT NULL,
	"credits" integer NOT NULL,
	"amount_cents" integer NOT NULL,
	"currency" text NOT NULL,
	"success_url" text NOT NULL,
	"cancel_url" text NOT NULL,
	"status" text NOT NULL,
	"click_key" text,
	"session_id" text,
	"payment_id" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"check_at" timestamp (3) with time zone,
	CONSTRAINT "payment_orders_status" CHECK ("payment_orders"."status" in ('open', 'expired', 'failed', 'mismatch', 'paid'))
);
--> statement-breakpoint
CREATE TABLE "payment_reversals" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"standing" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_reversals_kind" CHECK ("payment_reversals"."kind" in ('refund', 'dispute'))
);
--> statement-breakpoint
ALTER TABLE "payment_events" ADD CONSTRAINT "payment_events_order_id_payment_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."payment_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_reversals" ADD CONSTRAINT "payment_reversals_order_id_payment_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."payment_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_events_version" ON "payment_events" USING btree ("order_id","version");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_orders_click" ON "payment_orders" USING btree ("click_key");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_orders_session" ON "payment_orders" USING btree ("session_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_orders_payment" ON "payment_orders" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "payment_orders_workspace" ON "payment_orders" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "payment_orders_check" ON "payment_orders" USING btree ("check_at") WHERE "payment_orders"."check_at" is not null;--> statement-breakpoint
CREATE INDEX "payment_reversals_order" ON "payment_reversals" USING btree ("order_id","id");