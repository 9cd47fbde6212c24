ALTER TABLE "orders" ADD COLUMN "trigger_price_micros" bigint;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "trigger_direction" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "trigger_source" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "triggered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "trigger_seen_micros" bigint;--> statement-breakpoint
CREATE INDEX "orders_waiting" ON "orders" USING btree ("ticker") WHERE stage = 'trigger';