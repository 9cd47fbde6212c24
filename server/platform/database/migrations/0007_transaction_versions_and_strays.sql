CREATE TABLE "chain_replacements" (
	"hash" text PRIMARY KEY NOT NULL,
	"transaction_id" uuid NOT NULL,
	"raw" text NOT NULL,
	"signed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stray_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"chain_order_id" text NOT NULL,
	"kind" text NOT NULL,
	"order" jsonb NOT NULL,
	"state" text NOT NULL,
	"request_hash" text NOT NULL,
	"return_hash" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	CONSTRAINT "stray_requests_chain_order_id" UNIQUE("chain_order_id")
);
--> statement-breakpoint
ALTER TABLE "chain_cursors" ADD COLUMN "recent_blocks" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "chain_transactions" ADD COLUMN "mined_hash" text;--> statement-breakpoint
CREATE INDEX "chain_replacements_by_transaction" ON "chain_replacements" USING btree ("transaction_id");--> statement-breakpoint
CREATE INDEX "stray_requests_open" ON "stray_requests" USING btree ("created_at") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "vault_events_requested" ON "vault_events" USING btree ("block_number") WHERE kind = 'requested';