CREATE TABLE "learned_addresses" (
	"domain" text NOT NULL,
	"address_hash" text NOT NULL,
	"pattern" text NOT NULL,
	"learned_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "learned_addresses_domain_address_hash_pk" PRIMARY KEY("domain","address_hash")
);
