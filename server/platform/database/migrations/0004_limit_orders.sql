ALTER TABLE "vault_events" ADD COLUMN "filled_total_micros" bigint;--> statement-breakpoint
ALTER TABLE "vault_events" ADD COLUMN "quote_total_micros" bigint;--> statement-breakpoint
ALTER TABLE "vault_events" ADD COLUMN "ends_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "order_events" ADD COLUMN "contract_micros" bigint;--> statement-breakpoint
ALTER TABLE "order_events" ADD COLUMN "quote_usdc_micros" bigint;--> statement-breakpoint
ALTER TABLE "order_events" ADD COLUMN "fee_usdc_micros" bigint;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "order_type" text DEFAULT 'market' NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "limit_price_micros" bigint;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "time_in_force" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "is_post_only" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "is_reduce_only" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "rests_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "resting_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "resting_contract_micros" bigint;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "queue_contract_micros" bigint;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "delivered_contract_micros" bigint;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "delivered_quote_usdc_micros" bigint;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "delivered_fee_usdc_micros" bigint;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "delivers_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "amend_price_micros" bigint;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "amend_contract_micros" bigint;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "amend_stored_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "price_claimed_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "orders_resting" ON "orders" USING btree ("ticker") WHERE price_claimed_at is not null and not is_complete;--> statement-breakpoint
DROP INDEX "orders_received";--> statement-breakpoint
CREATE INDEX "orders_received" ON "orders" USING btree ("receiver_address") WHERE trade_action = 'buy';
