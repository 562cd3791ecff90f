CREATE TABLE "probe_operators" (
	"operator" text PRIMARY KEY NOT NULL,
	"lease_a" timestamp (3) with time zone,
	"lease_b" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone NOT NULL,
	"rests_until" timestamp (3) with time zone,
	"strikes" text[] NOT NULL,
	"struck_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "verified_addresses" (
	"key_hash" text PRIMARY KEY NOT NULL,
	"reason" text,
	"backend" text,
	"has_mx" boolean,
	"is_catch_all" boolean,
	"checked_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"probing_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "verified_domains" (
	"domain" text PRIMARY KEY NOT NULL,
	"is_catch_all" boolean NOT NULL,
	"checked_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
