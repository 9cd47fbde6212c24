ALTER TABLE "chain_cursors" ADD COLUMN "reread_from" bigint;--> statement-breakpoint
ALTER TABLE "chain_cursors" ADD COLUMN "is_rereading" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "is_unwinding" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "room_asked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "room_reserved_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "venue_attempts" ADD COLUMN "purpose" text DEFAULT 'order' NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_unwinding" ON "orders" USING btree ("next_run_at") WHERE is_unwinding;