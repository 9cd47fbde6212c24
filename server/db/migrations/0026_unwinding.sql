ALTER TABLE "orders" ADD COLUMN "is_unwinding" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "venue_attempts" ADD COLUMN "purpose" text DEFAULT 'order' NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_unwinding" ON "orders" USING btree ("next_run_at") WHERE is_unwinding;