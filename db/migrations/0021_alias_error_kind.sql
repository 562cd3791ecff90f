ALTER TABLE "mail_aliases" ADD COLUMN "last_error_kind" text;--> statement-breakpoint
ALTER TABLE "mail_aliases" ADD CONSTRAINT "mail_aliases_last_error_kind" CHECK ("mail_aliases"."last_error_kind" in ('account', 'line', 'vault'));--> statement-breakpoint
UPDATE "mail_aliases" a SET "last_error_kind" = 'line', "status" = 'active' FROM "sender_lanes" lane WHERE lane."id" = a."id" AND lane."open" AND a."status" = 'error';--> statement-breakpoint
UPDATE "mail_aliases" SET "last_error_kind" = 'account' WHERE "status" = 'error';
