CREATE TABLE "disposable_domains" (
	"domain" text PRIMARY KEY NOT NULL,
	"list" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "disposable_domains_list" ON "disposable_domains" USING btree ("list");