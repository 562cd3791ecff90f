CREATE INDEX "outbox_delivered" ON "outbox" USING btree ("delivered_at") WHERE "outbox"."delivered_at" is not null;--> statement-breakpoint
CREATE INDEX "inbound_mails_received" ON "inbound_mails" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "verified_addresses_expired" ON "verified_addresses" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "verified_domains_expired" ON "verified_domains" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "notice_deliveries_ended" ON "notice_deliveries" USING btree ("updated_at") WHERE "notice_deliveries"."state" not in ('waiting', 'transmitting');--> statement-breakpoint
CREATE INDEX "notice_windows_ended" ON "notice_windows" USING btree ("open_until");