CREATE TABLE "order_replacements" (
	"order_id" uuid PRIMARY KEY NOT NULL,
	"limit_price_micros" bigint NOT NULL,
	"contract_micros" bigint NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"outcome" text
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "replaced_by" uuid;--> statement-breakpoint
CREATE INDEX "order_replacements_open" ON "order_replacements" USING btree ("requested_at") WHERE outcome is null;