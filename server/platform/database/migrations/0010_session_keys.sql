ALTER TABLE "grants" ADD COLUMN "key_kind" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "grants" ADD COLUMN "key" text DEFAULT '0x0000000000000000000000000000000000000000000000000000000000000000' NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "order_signature" text;