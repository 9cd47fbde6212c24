CREATE TABLE "withdrawal_events" (
	"order_id" uuid PRIMARY KEY NOT NULL,
	"account_address" text NOT NULL,
	"transaction_hash" text NOT NULL,
	"block_number" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "withdrawal_events_block" ON "withdrawal_events" USING btree ("block_number");