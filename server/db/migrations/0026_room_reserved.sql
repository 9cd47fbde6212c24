ALTER TABLE "orders" ADD COLUMN "room_asked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "room_reserved_at" timestamp (3) with time zone;