CREATE TABLE "sign_in_secrets" (
	"secret" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pending_proposals" (
	"ticker" text PRIMARY KEY NOT NULL,
	"payout_yes_micros" bigint NOT NULL,
	"proposed_by" text NOT NULL,
	"reason" text NOT NULL,
	"proposed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
-- contract 2026-11-23: issued_grants, unread since this version; there is no release before it
DROP TABLE "issued_grants";--> statement-breakpoint
-- contract 2026-11-23: orders_client_id, one client id per key; no release before this version relies on it
ALTER TABLE "orders" DROP CONSTRAINT "orders_client_id";--> statement-breakpoint
ALTER TABLE "chain_cursors" ADD COLUMN "reread_from" bigint;--> statement-breakpoint
ALTER TABLE "chain_cursors" ADD COLUMN "is_rereading" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "withdraw_signature" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "is_unwinding" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "room_asked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "room_reserved_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "without_token" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "anonymous" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "venue_attempts" ADD COLUMN "purpose" text DEFAULT 'order' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "orders_client_id_of_owner" ON "orders" USING btree ("api_key_id","client_id","owner_address","anonymous");--> statement-breakpoint
CREATE INDEX "orders_unwinding" ON "orders" USING btree ("next_run_at") WHERE is_unwinding;--> statement-breakpoint
INSERT INTO "sign_in_secrets" VALUES (gen_random_uuid()::text || gen_random_uuid()::text);