CREATE TABLE "send_bodies" (
	"send_id" uuid PRIMARY KEY NOT NULL,
	"html" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "send_bodies" ADD CONSTRAINT "send_bodies_send_id_sends_id_fk" FOREIGN KEY ("send_id") REFERENCES "public"."sends"("id") ON DELETE cascade ON UPDATE no action;